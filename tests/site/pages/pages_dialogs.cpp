// Pages that put a dialog, a print window or another tab in the way.
#include "tests/site/pages/pages.h"

namespace bridle::site {

const char kAlertOnLoad[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Alert on load</title></head>
<body>
<h1>Alert on load</h1>
<p id="out">before</p>
<script>
addEventListener('load', () => {
  alert('Alert on load!');
  document.getElementById('out').textContent = 'after';
});
</script>
</body></html>
)html";

const char kAlertOnClick[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Alert on click</title></head>
<body>
<h1>Alert on click</h1>
<button id="alert" type="button">Alert</button>
<button id="twice" type="button">Two alerts</button>
<button id="late" type="button">Alert after 300 ms</button>
<p id="out">before</p>
<script>
const out = document.getElementById('out');
const on = (id, action) => document.getElementById(id).addEventListener('click', action);
on('alert', () => { alert('Clicked!'); out.textContent = 'after'; });
on('twice', () => { alert('First'); alert('Second'); out.textContent = 'after both'; });
on('late', () => setTimeout(() => { alert('Late!'); out.textContent = 'after late'; }, 300));
</script>
</body></html>
)html";

const char kConfirmOnClick[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Confirm on click</title></head>
<body>
<h1>Confirm on click</h1>
<button id="confirm" type="button">Confirm</button>
<p id="out">before</p>
<script>
document.getElementById('confirm').addEventListener('click', () => {
  document.getElementById('out').textContent = confirm('Are you sure?') ? 'confirmed' : 'dismissed';
});
</script>
</body></html>
)html";

const char kPromptOnClick[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Prompt on click</title></head>
<body>
<h1>Prompt on click</h1>
<button id="prompt" type="button">Prompt</button>
<p id="out">before</p>
<script>
document.getElementById('prompt').addEventListener('click', () => {
  const answer = prompt('Your name?', 'nobody');
  document.getElementById('out').textContent = answer === null ? 'dismissed' : 'name: ' + answer;
});
</script>
</body></html>
)html";

// Chromium asks only after the user has interacted with the page: click or type first.
const char kBeforeunload[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Before unload</title></head>
<body>
<h1>Before unload</h1>
<label>Draft <input id="draft"></label>
<button id="touch" type="button">Touch</button>
<button id="leave" type="button">Leave</button>
<a id="link" href="/plain?title=Left">Leave by link</a>
<p id="out">untouched</p>
<script>
addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'unsaved'; });
document.getElementById('touch').addEventListener('click', () => {
  document.getElementById('out').textContent = 'touched';
});
document.getElementById('leave').addEventListener('click', () => { location.href = '/plain?title=Left'; });
</script>
</body></html>
)html";

const char kPrintOnClick[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Print on click</title></head>
<body>
<h1>Print on click</h1>
<button id="print" type="button">Print</button>
<p id="out">before</p>
<script>
document.getElementById('print').addEventListener('click', () => {
  print();
  document.getElementById('out').textContent = 'after';
});
</script>
</body></html>
)html";

const char kPopup[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Popup</title></head>
<body>
<h1>Popup</h1>
<button id="open" type="button">Open a popup</button>
<button id="open-late" type="button">Open after 600 ms</button>
<button id="open-other" type="button">Open the other origin</button>
<button id="open-slow" type="button">Open a slow page</button>
<button id="open-never" type="button">Open a page that never answers</button>
<button id="open-blank" type="button">Open a blank page and write to it</button>
<button id="open-two" type="button">Open two</button>
<button id="close" type="button">Close the popup</button>
<a id="blank" href="/plain?title=Blank" target="_blank">Link to a new tab</a>
<a id="blank-opener" href="/plain?title=Opener" target="_blank" rel="opener">Link to a new tab that keeps its opener</a>
<p id="out">none</p>
<script>
let popup = null;
const open_it = (url) => {
  popup = window.open(url, '', 'width=400,height=300');
  document.getElementById('out').textContent = popup ? 'opened' : 'blocked';
};
const on = (id, action) => document.getElementById(id).addEventListener('click', action);
on('open', () => open_it('/plain?title=Popped&text=In+a+popup.'));
on('open-late', () => setTimeout(() => open_it('/plain?title=Late'), 600));
on('open-other', () => open_it('{{other}}/plain?title=Other'));
on('open-slow', () => open_it('/slow?ms=1500'));
on('open-never', () => open_it('/never'));
on('open-blank', () => { open_it('about:blank'); popup.document.write('<title>Written</title><p>Written.</p>'); });
on('open-two', () => { open_it('/plain?title=First'); open_it('/plain?title=Second'); });
on('close', () => { if (popup) popup.close(); document.getElementById('out').textContent = 'closed'; });
</script>
</body></html>
)html";

}  // namespace bridle::site
