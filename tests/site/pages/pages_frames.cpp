// Documents within documents: frames of every origin, and shadow roots.
#include "tests/site/pages/pages.h"

namespace bridle::site {

const char kFrame[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Frame</title></head>
<body>
<h2>Frame at <span id="origin"></span></h2>
<label>Frame input <input id="frame-input"></label>
<button id="frame-button" type="button">Frame button</button>
<a id="frame-link" href="/plain?title=In+frame">Frame link</a>
<p id="frame-out">untouched</p>
<script>
document.getElementById('origin').textContent = location.origin;
document.getElementById('frame-button').addEventListener('click', () => {
  document.getElementById('frame-out').textContent = 'clicked in ' + location.origin;
});
</script>
</body></html>
)html";

const char kIframes[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Frames</title>
<style>iframe { width: 400px; height: 180px; display: block; margin: 8px }</style></head>
<body>
<h1>Frames</h1>
<iframe id="same" title="Same origin" src="/frame?same"></iframe>
<iframe id="other" title="Other origin" src="{{other}}/frame?other"></iframe>
<iframe id="nested" title="Nested" src="/iframe-nested" style="height: 260px"></iframe>
<iframe id="srcdoc" title="Srcdoc"
 srcdoc="<title>Srcdoc</title><p>In srcdoc.</p><button type='button' onclick='this.textContent=&quot;Clicked&quot;'>Srcdoc button</button>"></iframe>
<iframe id="sandboxed" title="Sandboxed" sandbox src="/plain?title=Sandboxed"></iframe>
<button id="outside" type="button">Outside button</button>
<p id="out"></p>
<script>
document.getElementById('outside').addEventListener('click', () => {
  document.getElementById('out').textContent = 'clicked outside';
});
</script>
</body></html>
)html";

// A frame of another site has a process, and a CDP target, of its own.
const char kIframesCrossSite[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Cross-site frames</title>
<style>iframe { width: 400px; height: 180px; display: block; margin: 8px }</style></head>
<body>
<h1>Cross-site frames</h1>
<iframe id="cross-site" title="Cross-site" src="{{cross_site}}/frame?cross-site"></iframe>
<iframe id="cross-site-nested" title="Cross-site nested" src="{{cross_site}}/iframe-nested" style="height: 260px"></iframe>
</body></html>
)html";

const char kIframeNested[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Nested frame</title></head>
<body>
<p>Outer of the nested frames</p>
<iframe id="inner" title="Inner" src="{{other}}/frame?inner" style="width: 340px; height: 170px"></iframe>
</body></html>
)html";

const char kIframeNever[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Frame that never comes</title></head>
<body>
<h1>Frame that never comes</h1>
<button id="button" type="button">Button</button>
<p id="out">untouched</p>
<iframe id="never" title="Never" src="/never-frame"></iframe>
<script>
document.getElementById('button').addEventListener('click', () => {
  document.getElementById('out').textContent = 'clicked';
});
</script>
</body></html>
)html";

const char kShadow[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shadow roots</title></head>
<body>
<h1>Shadow roots</h1>
<open-box id="open-host"><span slot="label">Slotted label</span></open-box>
<closed-box id="closed-host"></closed-box>
<div id="declared"><template shadowrootmode="open">
<button id="declared-button" type="button">Declared button</button>
</template></div>
<p id="out">untouched</p>
<script>
const tell = (text) => { document.getElementById('out').textContent = text; };
customElements.define('open-box', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({mode: 'open'});
    root.innerHTML = '<p><slot name="label"></slot></p><label>Open input <input id="open-input"></label>' +
        '<button id="open-button" type="button">Open button</button><inner-box></inner-box>';
    root.getElementById('open-button').addEventListener('click', () => tell('open clicked'));
  }
});
customElements.define('inner-box', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({mode: 'open'});
    root.innerHTML = '<button id="inner-button" type="button">Inner button</button>';
    root.getElementById('inner-button').addEventListener('click', () => tell('inner clicked'));
  }
});
customElements.define('closed-box', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({mode: 'closed'});
    root.innerHTML = '<button id="closed-button" type="button">Closed button</button>';
    root.getElementById('closed-button').addEventListener('click', () => tell('closed clicked'));
  }
});
document.getElementById('declared').shadowRoot.getElementById('declared-button')
    .addEventListener('click', () => tell('declared clicked'));
</script>
</body></html>
)html";

}  // namespace bridle::site
