#include "browser/page/world/unanswered_questions.h"

namespace bridle {

// Chromium asks for a passkey in a window over the tab, which then takes no click: the page is told what it is told
// when a person closes that. What it only offers in the list under a field (mediation 'conditional') opens none.
std::string_view unanswered_questions_source() {
  static constexpr std::string_view kSource = R"js((page, replace, note) => {
  const { CredentialsContainer, DOMException, Object, Promise } = page;
  const { reject } = Promise;
  const { apply } = Reflect;
  const asksForPasskey = (options) => {
    try {
      return Object(options) === options && Object(options.publicKey) === options.publicKey &&
             options.mediation !== 'conditional' && !options.signal?.aborted;
    } catch { return false; }
  };
  const refuse = (target, self, args) => {
    if (!asksForPasskey(args[0])) return apply(target, self, args);
    note('passkey');
    return apply(reject, Promise, [new DOMException('The operation either timed out or was not allowed. See: ' +
        'https://www.w3.org/TR/webauthn-2/#sctn-privacy-considerations-client.', 'NotAllowedError')]);
  };
  if (CredentialsContainer) {
    replace(CredentialsContainer.prototype, 'get', refuse);
    replace(CredentialsContainer.prototype, 'create', refuse);
  }
  replace(page, 'print', (target, self, args) => {
    note('print');
    return apply(target, self, args);
  });
})js";
  return kSource;
}

}  // namespace bridle
