// How a session's steps are written: [tool, arguments], where a target may be named by what the answers showed, or a
// function that makes the site do something between two of them.

// The ref of the newest line of the session's answers that holds `part`.
export class Seen {
  constructor(part) {
    this.part = part;
  }
}
export const seen = (part) => new Seen(part);

export const open = (page) => ['browser_navigate', { url: `/${page}` }];
export const click = (part, more = {}) => ['browser_click', { target: seen(part), ...more }];
export const type = (part, text, more = {}) => ['browser_type', { target: seen(part), text, ...more }];
export const key = (name) => ['browser_press_key', { key: name }];
export const select = (part, ...values) => ['browser_select_option', { target: seen(part), values }];
export const look = (more = {}) => ['browser_snapshot', more];
export const find = (text) => ['browser_find', { text }];
export const wait = (text) => ['browser_wait_for', { text }];
