#pragma once

#include <string_view>

namespace bridle {

// The source of an arrow function for the script kit of a browser without a window, in which nobody sees what the
// browser itself asks a person [nav.after-action.asks] [why.nobody-answers]. It is run in a page before the page's own
// scripts. `unanswered(page, replace, note)` refuses what asks for a passkey, a digital credential, an account of
// another site (FedCM), leave to send notifications or a colour of the screen, and notes 'passkey', 'credential',
// 'account', 'notifications' or 'colour'; it notes 'print' for print().
// `replace(owner, name, trap)` puts a proxy in a function's place.
std::string_view unanswered_questions_source();

}  // namespace bridle
