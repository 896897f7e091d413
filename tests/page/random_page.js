// Runs in a page's own world: builds a random page, and changes it at random. The same seed does the same.
globalThis.randomPage = (() => {
  let state = 1;
  const random = (n) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % n;
  };
  const pick = (list) => list[random(list.length)];
  const chance = (percent) => random(100) < percent;
  const word = () => pick(['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta']) + ' ' + random(40);

  const kClasses = ['a', 'b', 'c', 'hid', 'inv', 'op', 'away', 'clip', 'ptr', 'pre', 'con', 'white', 'row', 'scroll', 'carousel', 'track', 'slide', 'glyph', 'dot', 'red', 'struck', 'lines', 'placed', 'done', 'active'];
  const kRules = [
    '.hid{display:none}',
    '.inv{visibility:hidden}',
    '.op{opacity:0}',
    '.away{position:absolute;left:-9999px}',
    '.clip{overflow:hidden;height:0}',
    '.ptr{cursor:pointer}',
    '.pre::before{content:"pre "}',
    '.con::after{content:attr(data-x)}',
    '.white{color:#fff}',
    '.row{display:flex}',
    '.scroll{overflow:auto;height:40px}',
    '.carousel{overflow:hidden;width:100px;height:60px;position:relative}',
    '.track{display:flex}',
    '.slide{flex:0 0 100px;height:50px;position:relative}',
    '.row .track{transform:translateX(-100px)}',
    '.glyph::before{content:"\\e001"}',
    '.dot{display:inline-block;width:9px;height:9px;background:green}',
    '.red, .a .glyph{color:red;background-color:red}',
    '.struck{text-decoration:line-through}',
    '.lines{white-space:pre-wrap}',
    '.placed{position:absolute;top:0;left:0}',
    '.done{color:green}',
    '.a .b{font-weight:bold}',
    '.a > .c{display:none}',
    '.a + .b{display:none}',
    '.b ~ .c{visibility:hidden}',
    'li:nth-child(3n){opacity:0}',
    'li:first-child .b{display:none}',
    'input:checked ~ p{display:none}',
    'input:checked + *{color:#fff}',
    '[aria-expanded=true] + div{display:none}',
    '[data-x="1"] span{display:none}',
    'div:empty{cursor:pointer}',
    'p:hover + *{display:none}',
    'div:focus-within > span{display:none}',
    'button:hover .b{display:none}',
    'input:invalid ~ p{opacity:0}',
    'input:disabled ~ p{visibility:hidden}',
    '.c:not(.b){text-indent:2px}',
    '#i3 .b{display:none}',
    'details[open] ~ p{display:none}',
    '@media (min-width: 100px){.b{cursor:pointer}}',
    '.a:has(> .c){opacity:0}',
    'ul:has(li:empty){display:none}',
    '.a:has(.b + .c) .done{display:none}',
    '.b:not(:has(.c)) span{opacity:0}',
    '.b:has(+ .c, ~ .ptr) p{display:none}',
    'section:has(button:hover, :checked) ~ div{visibility:hidden}',
    ':is(.done, .active:has(p)) span{display:none}',
    'div:has([data-x]):not(.a) > p{color:#fff}',
    '.a:dir(rtl) p{display:none}',
    '.row{container-type:inline-size}',
    '@container (max-width: 300px){p{opacity:0}}',
    '@container (max-width: 300px){.b{display:none}}',
    '@scope (.a) to (.c){span{display:none}}',
    '.inv .b{visibility:visible}',
    '.op{transition:opacity 50ms}',
    'li:nth-child(2 of .a){display:none}',
    '::slotted(.a){display:none}',
    'a:any-link + *{opacity:0}',
    'input:placeholder-shown + *{display:none}',
    'p:lang(de) + *{display:none}',
    'fieldset:disabled p{display:none}',
    ':popover-open + *{opacity:0}',
    '.a{.b &{display:none} & > span{opacity:0}}',
    'body.a span{display:none}',
    '.c{content-visibility:hidden}',
  ];

  function element() {
    const make = (tag, text = null) => {
      const el = document.createElement(tag);
      if (text !== null) el.textContent = text;
      return el;
    };
    const id = () => 'i' + random(12);
    const kinds = [
      () => make('p', word()),
      () => make('span', word()),
      () => make('button', word()),
      () => Object.assign(make('a', word()), { href: '/x' + random(5) }),
      () => make('h' + (1 + random(4)), word()),
      () => make('div', chance(50) ? word() : ''),
      () => make('div'),
      () => make('section'),
      () => make('ul'),
      () => make('li', word()),
      () => Object.assign(make('input'), { type: pick(['text', 'checkbox', 'radio', 'number', 'file', 'hidden']), name: 'n' + random(3) }),
      () => Object.assign(make('input'), { id: id(), placeholder: word() }),
      () => make('textarea', word()),
      () => {
        const select = make('select');
        for (let i = 0; i < 3; i++) select.append(make('option', word()));
        return select;
      },
      () => {
        const label = make('label', word());
        if (chance(50)) label.htmlFor = id();
        else label.append(make('input'));
        return label;
      },
      () => {
        const details = make('details');
        details.append(make('summary', word()), make('p', word()));
        return details;
      },
      () => {
        const table = make('table');
        for (let i = 0; i < 2; i++) {
          const row = table.insertRow();
          row.append(make('th', word()));
          row.insertCell().textContent = word();
          if (chance(50)) row.insertCell().append(make(pick(['a', 'button', 'input']), word()));
        }
        return table;
      },
      () => {
        const item = make('li');
        item.setAttribute('role', pick(['tab', 'menuitem', 'option', 'treeitem']));
        item.append(Object.assign(make('a', word()), { href: pick(['#p', '/q']) }));
        return item;
      },
      () => {
        const el = make('span', word());
        el.setAttribute('aria-hidden', 'true');
        return el;
      },
      () => {
        const el = make(pick(['div', 'section', 'button']));
        el.setAttribute('aria-labelledby', id());
        el.append(make('p', word()));
        return el;
      },
      () => {
        const el = make('div', word());
        el.setAttribute('role', pick(['tab', 'list', 'listitem', 'dialog', 'row', 'cell', 'region', 'none', 'button', 'combobox']));
        return el;
      },
      () => {
        const dialog = make('dialog');
        dialog.append(make('p', word()), make('button', word()));
        return dialog;
      },
      () => {
        const host = make('div', 'light ' + word());
        const root = host.attachShadow({ mode: 'open' });
        root.innerHTML = '<style>.b{display:none}:host(.a) p{opacity:0}</style><p>in a shadow</p><slot></slot><button class="b">x</button>';
        root.querySelector('p').textContent = word();
        return host;
      },
      () => {
        const el = make('div', word());
        el.popover = 'manual';
        return el;
      },
      () => {
        const fieldset = make('fieldset');
        fieldset.append(make('legend', word()), make('input'), make('button', word()));
        return fieldset;
      },
      () => Object.assign(make('img'), { alt: word() }),
      () => Object.assign(make('img'), { alt: '', src: '/flag.png', width: 16, height: 12 }),
      icon,
      icon,
      () => {
        const el = make('pre', 'if ' + word() + '\n  then\n');
        if (chance(50)) el.append(make(pick(['span', 'code', 'div']), '  ' + word() + '\n'), ' end');
        return el;
      },
      () => {
        const el = make(pick(['p', 'li', 'div', 'span', 'td']), chance(50) ? word() : '');
        el.append(icon());
        if (chance(50)) el.append(icon(), make(pick(['div', 'span']), word()));
        return el;
      },
      carousel,
      () => document.createTextNode(word()),
    ];
    const el = pick(kinds)();
    if (el.nodeType === 1) {
      if (chance(30)) el.id = id();
      if (chance(50)) el.className = Array.from({ length: 1 + random(2) }, () => pick(kClasses)).join(' ');
    }
    return el;
  }

  function icon() {
    const kinds = [
      '<i class="glyph fa-star"></i>',
      '<i class="dot"></i>',
      '<b class="glyph fa-check"></b>',
      '<svg width="16" height="16" class="lucide-x"><path d="M1 1h9v9z"/></svg>',
      '<svg width="16" height="16"><path fill="red" d="M1 1h9v9z"/></svg>',
      '<span aria-hidden="true"><i class="glyph"></i><i class="glyph"></i></span>',
      '<span style="color:orange">★</span>',
      '<div style="width:40%;height:9px;background:navy"></div>',
    ];
    const holder = document.createElement('div');
    holder.innerHTML = pick(kinds);
    return holder.firstChild;
  }

  // A box that shows one slide, or two, of a few.
  function carousel() {
    const box = document.createElement('div');
    box.className = 'carousel';
    const track = document.createElement('div');
    track.className = 'track';
    for (let i = 0; i < 2 + random(4); i++) {
      const slide = document.createElement(pick(['div', 'div', 'section']));
      slide.className = 'slide';
      if (chance(40)) slide.setAttribute('role', pick(['group', 'none', 'listitem']));
      if (chance(30)) slide.setAttribute('aria-label', word());
      if (chance(20)) slide.setAttribute('aria-hidden', 'true');
      if (chance(70)) slide.append(word());
      if (chance(50)) slide.append(element());
      track.append(slide);
    }
    if (chance(30)) track.style.transform = 'translateX(-100px)';
    if (chance(20)) track.append(carousel());
    box.append(track);
    return box;
  }

  const holders = () =>
    [...document.querySelectorAll('body, body *')].filter(
      (el) => !/^(input|img|br|script|style|option|select|textarea)$/.test(el.localName),
    );
  const anyElement = () => {
    const all = [...document.querySelectorAll('body *:not(script):not(style)')];
    for (const el of [...all]) if (el.shadowRoot) all.push(...el.shadowRoot.querySelectorAll('*:not(style)'));
    return pick(all);
  };

  function grow(n) {
    for (let i = 0; i < n; i++) {
      const holder = pick(holders());
      holder.insertBefore(element(), pick([null, holder.firstChild, holder.lastChild]));
    }
  }

  function build(seed, n) {
    state = seed * 7919 + 1;
    for (let i = 0; i < 5; i++) random(2);
    const style = document.createElement('style');
    style.textContent = kRules.filter((rule) => chance(/:has|:dir|@container/.test(rule) ? 20 : 60)).join('\n');
    document.head.append(style);
    addEventListener('click', (event) => event.target.closest?.('a,input[type=file]') && event.preventDefault());
    grow(n);
  }

  // What scripts insert, beside the others.
  const kLaterRules = [
    '.a:hover{cursor:pointer}',
    '@layer late{.b{display:none}}',
    '@supports (display:block){.c{opacity:0}}',
    '@media screen{.row{display:none}}',
    '.b{&.c{display:none} span{cursor:pointer}}',
    '.done::before{content:"done "}',
    '@keyframes k{from{opacity:0}to{opacity:1}}',
    '.a{animation:k 1s paused}',
    '@font-face{font-family:f;src:url(data:,)}',
    'body{color:#fff}',
    'button:active .b{visibility:hidden}',
    '@container (min-width:50px){.a{display:none}}',
    '.b{container-type:inline-size}',
  ];

  const kAttributes = {
    'class': () => Array.from({ length: random(3) }, () => pick(kClasses)).join(' '),
    'style': () => pick(['', 'display:none', 'opacity:0', 'cursor:pointer', 'visibility:hidden', 'color:white', 'height:0;overflow:hidden', 'font-size:0', 'position:fixed;top:0', 'transform:translateX(-5000px)', 'overflow:auto;height:30px', 'width:200px', 'container-type:inline-size']),
    'hidden': () => pick(['', null]),
    'aria-hidden': () => pick(['true', null]),
    'aria-label': () => pick([word(), null]),
    'aria-labelledby': () => pick(['i' + random(12), null]),
    'aria-expanded': () => pick(['true', 'false', null]),
    'aria-disabled': () => pick(['true', null]),
    'aria-checked': () => pick(['true', 'false']),
    'data-x': () => pick(['1', '2', null]),
    'role': () => pick(['button', 'list', 'none', 'presentation', 'dialog', 'grid', 'combobox', null]),
    'inert': () => pick(['', null]),
    'disabled': () => pick(['', null]),
    'required': () => pick(['', null]),
    'open': () => pick(['', null]),
    'title': () => pick([word(), null]),
    'id': () => pick(['i' + random(12), null]),
    'for': () => 'i' + random(12),
    'type': () => pick(['text', 'checkbox', 'password', 'file']),
    'tabindex': () => pick(['0', '-1', null]),
    'slot': () => pick(['s', null]),
    'href': () => pick(['/y', null]),
    'aria-owns': () => pick(['i' + random(12), null]),
    'aria-modal': () => pick(['true', null]),
    'contenteditable': () => pick(['true', null]),
    'lang': () => pick(['de', null]),
    'dir': () => pick(['rtl', 'ltr', 'auto', null]),
    'placeholder': () => pick([word(), null]),
  };

  const kChanges = [
    () => {
      const el = anyElement();
      const name = pick(Object.keys(kAttributes).filter((key) => key !== 'aria-owns' || chance(40)));
      const value = kAttributes[name]();
      if (value === null) el.removeAttribute(name);
      else el.setAttribute(name, value);
      return `${name}=${value} on ${el.localName}`;
    },
    () => {
      const el = anyElement();
      el.classList.toggle(pick(kClasses));
      return `class ${el.className} on ${el.localName}`;
    },
    () => {
      const text = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const all = [];
      while (text.nextNode()) all.push(text.currentNode);
      if (!all.length) return 'nothing';
      const node = pick(all);
      node.data = pick([word(), '', ' ' + word()]);
      return `text in ${node.parentNode.localName}`;
    },
    () => {
      grow(1 + random(3));
      return 'grown';
    },
    () => {
      const el = anyElement();
      const what = el.localName;
      el.remove();
      return `removed ${what}`;
    },
    () => {
      const el = anyElement();
      const to = pick(holders().filter((other) => !el.contains(other)));
      if (!to) return 'nothing';
      to.insertBefore(el, pick([null, to.firstChild]));
      return `moved ${el.localName} into ${to.localName}`;
    },
    () => {
      const el = anyElement();
      if (el.localName === 'textarea' || (el.localName === 'input' && el.type !== 'file')) el.value = word();
      if (el.localName === 'input') el.checked = !el.checked;
      if (el.localName === 'select') el.selectedIndex = random(3);
      return `state of ${el.localName}`;
    },
    () => {
      const inputs = [...document.querySelectorAll('input')];
      if (!inputs.length) return 'nothing';
      const el = pick(inputs);
      el.checked = !el.checked;
      return 'checked';
    },
    () => {
      const el = anyElement();
      el.focus?.();
      return `focus on ${el.localName}`;
    },
    () => {
      const dialog = document.querySelector('dialog');
      if (!dialog) return 'nothing';
      if (dialog.open) dialog.close();
      else if (chance(50)) dialog.show();
      else if (chance(30) && dialog.isConnected) dialog.showModal();
      return 'dialog';
    },
    () => {
      const el = document.querySelector('[popover]');
      if (el?.isConnected) el.togglePopover();
      return 'popover';
    },
    () => {
      const el = anyElement();
      el.scrollTop = random(50);
      return 'scrolled';
    },
    () => {
      const track = pick([...document.querySelectorAll('.track')]);
      if (!track) return 'nothing';
      const to = random(4) * -50;
      const how = random(5);
      if (how === 0) track.style.marginLeft = to + 'px';
      else if (how === 1 && track.firstElementChild) track.append(track.firstElementChild);
      else if (how === 2) track.parentNode.scrollLeft = -to;
      else track.style.transform = 'translateX(' + to + 'px)';
      return 'moved a track';
    },
    () => {
      const el = anyElement();
      el.animate([{ opacity: 0 }, { opacity: random(2) }], { duration: pick([1, 100000]), fill: pick(['none', 'forwards']) });
      return `animated ${el.localName}`;
    },
    () => {
      const el = anyElement();
      const around = document.createElement(pick(['div', 'label', 'button', 'section', 'li', 'fieldset']));
      around.className = pick(kClasses);
      el.replaceWith(around);
      around.append(el);
      return `wrapped ${el.localName} in ${around.localName}`;
    },
    () => {
      const sheet = pick([...document.querySelectorAll('style')]);
      sheet.media = pick(['print', 'all']);
      return `media ${sheet.media}`;
    },
    () => {
      const { sheet } = document.querySelector('style');
      if (chance(50)) sheet.insertRule(pick(kRules.filter((rule) => !rule.includes(':has'))), random(sheet.cssRules.length + 1));
      else if (sheet.cssRules.length > 4) sheet.deleteRule(random(sheet.cssRules.length));
      return 'rules';
    },
    () => {
      const styles = [...document.querySelectorAll('style')];
      if (styles.length > 1 && chance(30)) styles.at(-1).remove();
      else if (chance(50)) {
        const style = document.createElement('style');
        style.textContent = pick(kRules) + pick(kLaterRules);
        pick(styles).after(style);
      } else pick(styles).append(pick(kLaterRules));
      return 'style elements';
    },
    () => {
      const { sheet } = document.querySelector('style');
      const rule = pick([...sheet.cssRules]);
      if (rule.style) rule.style.setProperty('display', pick(['block', 'none', 'inline']));
      return 'a rule';
    },
    () => {
      const hosts = [...document.querySelectorAll('*')].filter((el) => el.shadowRoot);
      if (!hosts.length) return 'nothing';
      const root = pick(hosts).shadowRoot;
      if (chance(50)) root.append(element());
      else root.querySelector('p')?.append(' more');
      return 'in a shadow tree';
    },
    () => {
      if (!chance(15)) return 'nothing';
      const el = pick([...document.querySelectorAll('div,p,span')]);
      if (!el || el.shadowRoot) return 'nothing';
      el.attachShadow({ mode: 'open' }).innerHTML = `<b>${word()}</b><slot></slot>`;
      return 'a new shadow tree';
    },
    () => {
      const el = pick(holders().filter((holder) => holder !== document.body));
      if (!el || el.querySelector('div')) return 'nothing';
      el.innerHTML = `<b>${word()}</b> <a href="/z">${word()}</a><label>${word()}<input type="checkbox"></label>`;
      return `contents of ${el.localName}`;
    },
  ];

  function change(seed, n) {
    state = seed * 104729 + 7;
    for (let i = 0; i < 5; i++) random(2);
    return Array.from({ length: n }, () => {
      if (document.body.childElementCount < 5) grow(10);
      return pick(kChanges)();
    });
  }

  return { build, change };
})();
