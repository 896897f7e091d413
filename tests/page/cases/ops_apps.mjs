// What the front ends of servers and offices have shown: SOGo, phpLDAPadmin, Syncthing, openQA, Cacti.
import { equal, has, hasNot, kPatience, ok, refOf, shown } from '../expect.mjs';

const withoutRefs = (yaml) => yaml.replaceAll(/ \[ref=e\d+\]/g, '');
const plain = async (page, html) => withoutRefs(await shown(page, html));
const delta = async (page, script) => {
  await page.main(script);
  return withoutRefs(await page.yaml({ mode: 'delta' }));
};
const act = (page, target) => page.call('actionable', { target, timeout: kPatience, callId: 1 });

export default {
  // [tool.snapshot.hidden-controls] Cacti's switches
  'a label that is drawn in place of a checkbox that is not rendered is that': async (page) => {
    const html = `<style>.s{position:relative;display:inline-block;width:45px;height:24px} .s input{display:none}
      .t{position:absolute;inset:0;background:#ccc;cursor:pointer} .t::before{content:"";background:url(knob.svg)}
      [for=acc]{cursor:pointer}</style>
      <label class="s" title="Disable device"><input type="checkbox" title="Disable device" id="off"><span class="t"></span></label>
      <p><label class="s"><input type="radio" name="r" id="one" checked><span class="t"></span></label><label for="one">Leave all</label>
      <p><label class="s"><input type="radio" name="r" id="two"><span class="t"></span></label><label for="two">Delete all</label>
      <p><input type="checkbox" id="acc" hidden><label for="acc">More</label>
      <p><input type="checkbox" id="gone" hidden><label for="gone">A label of what is hidden too</label>
      <p><label style="cursor:pointer"><input type="checkbox" hidden><span role="checkbox" aria-label="Own" tabindex="0"></span></label>`;
    const yaml = await shown(page, html);
    equal(
      withoutRefs(yaml),
      `- checkbox "Disable device"
- paragraph:
  - radio "Leave all" [checked]
- paragraph:
  - radio "Delete all"
- paragraph:
  - checkbox "More"
- paragraph: A label of what is hidden too
- paragraph:
  - checkbox "Own"`,
    );
    ok((await act(page, refOf(yaml, 'Disable device'))).ok);
    equal(
      await delta(page, `for (const id of ['off', 'two', 'acc']) document.getElementById(id).click()`),
      `- checkbox "Disable device" [checked]
- paragraph:
  - radio "Leave all"
- paragraph:
  - radio "Delete all" [checked]
- paragraph:
  - checkbox "More" [checked]`,
    );
  },
};
