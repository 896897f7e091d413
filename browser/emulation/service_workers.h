#pragma once

namespace bridle {

// An init script: what a page gets that wants to register a service worker under --block-service-workers. In a browser
// that doesn't have them for a page (http:) nothing is there to be changed.
inline constexpr const char* kNoServiceWorkers = R"js((() => {
  const container = globalThis.ServiceWorkerContainer;
  if (!container) return;
  const { register } = {
    register() {
      return Promise.reject(new DOMException('Service workers are blocked (--block-service-workers).', 'SecurityError'));
    },
  };
  Object.defineProperty(container.prototype, 'register', {
    value: register, writable: true, enumerable: true, configurable: true,
  });
})())js";

}  // namespace bridle
