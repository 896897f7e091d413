#include "server/run_bridle.h"

int main(int argc, char** argv) { return bridle::run_bridle(argc, argv); }
