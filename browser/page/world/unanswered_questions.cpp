#include "browser/page/world/unanswered_questions.h"

namespace bridle {

// Chromium asks for a passkey, for a digital credential, and for the account of another site that a button signs in
// with (FedCM), in a window over the tab, which then takes no click: the page is told what it is told when a person
// closes that. What it only offers in the list under a field (mediation 'conditional'), or asks for silently, opens
// none. An account that no button asks for, leave to send notifications, and a colour to be picked from the screen
// would be waited for without end.
std::string_view unanswered_questions_source() {
  static constexpr std::string_view kSource = R"js((page, replace, note) => {
  const { CredentialsContainer, DOMException, EyeDropper, Notification, Object, Promise } = page;
  const { reject, resolve } = Promise;
  const { apply } = Reflect;
  const isDictionary = (value) => Object(value) === value;
  const askedFor = (options) => {
    try {
      if (!isDictionary(options) || options.signal?.aborted) return '';
      if (options.mediation === 'conditional' || options.mediation === 'silent') return '';
      if (isDictionary(options.publicKey)) return 'passkey';
      if (isDictionary(options.digital)) return 'credential';
      return isDictionary(options.identity) ? 'account' : '';
    } catch { return ''; }
  };
  const refuse = (target, self, args) => {
    const what = askedFor(args[0]);
    if (!what) return apply(target, self, args);
    note(what);
    const error = what === 'passkey' ?
        new DOMException('The operation either timed out or was not allowed. See: ' +
            'https://www.w3.org/TR/webauthn-2/#sctn-privacy-considerations-client.', 'NotAllowedError') :
        new DOMException('Error retrieving a token.', 'NetworkError');
    return apply(reject, Promise, [error]);
  };
  if (CredentialsContainer) {
    replace(CredentialsContainer.prototype, 'get', refuse);
    replace(CredentialsContainer.prototype, 'create', refuse);
  }
  if (Notification) {
    replace(Notification, 'requestPermission', (target, self, args) => {
      if (Notification.permission !== 'default') return apply(target, self, args);
      note('notifications');
      if (typeof args[0] === 'function') args[0]('default');
      return apply(resolve, Promise, ['default']);
    });
  }
  if (EyeDropper) {
    replace(EyeDropper.prototype, 'open', (target, self, args) => {
      if (!(self instanceof EyeDropper) || args[0]?.signal?.aborted) return apply(target, self, args);
      note('colour');
      return apply(reject, Promise, [new DOMException('The user canceled the selection.', 'AbortError')]);
    });
  }
  replace(page, 'print', (target, self, args) => {
    note('print');
    return apply(target, self, args);
  });
})js";
  return kSource;
}

}  // namespace bridle
