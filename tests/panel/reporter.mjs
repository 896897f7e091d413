// Says what failed and why, then `N passed, N failed`, which tests/summary.mjs adds up.
export default class Reporter {
  passed = 0;
  failed = 0;

  onTestEnd(test, result) {
    const name = test.titlePath().filter(Boolean).join(' > ');
    if (result.status === 'passed') this.passed++;
    else if (result.status !== 'skipped') {
      this.failed++;
      console.log(`FAILED ${name}\n${result.errors.map((one) => one.stack ?? one.message ?? one.value).join('\n')}\n`);
    }
    if (process.env.BRIDLE_TEST_DURATIONS) console.log(`${result.duration} ms ${result.status} ${name}`);
  }
  onError(error) {
    this.failed++;
    console.log(error.stack ?? error.message ?? error.value);
  }
  onEnd() {
    console.log(`${this.passed} passed, ${this.failed} failed`);
  }
  printsToStdio() {
    return true;
  }
}
