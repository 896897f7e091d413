// What applications of one page have shown that are driven by a mouse: editors of stories, drawings, maps and programs, consoles of
// servers.
import { equal, shown } from '../expect.mjs';

export default {
  // [tool.snapshot.pointers]
  'the icon in a link that is an item of a tree is a part of it, the sign that unfolds an item is none': async (
    page,
  ) => {
    const icon = '<i style="display:inline-block;width:24px;height:24px;background:url(key.png)"></i>';
    equal(
      await shown(
        page,
        `<style>li i, [role=treeitem] { cursor: pointer }</style><ul role="tree" aria-label="Keys">
        <li role="none"><a href="#" role="treeitem" aria-level="1">${icon}users</a></li>
        <li><div role="treeitem" aria-level="1" aria-expanded="false"><i class="arrow"
          style="display:inline-block;width:24px;height:24px;background:url(key.png)"></i>carts</div></li></ul>`,
      ),
      `- tree "Keys" [ref=e1]:
  - treeitem "users" [level=1] [ref=e2]
  - treeitem "carts" [collapsed] [level=1] [ref=e3]:
    - generic [ref=e4] [icon=key.png] [cursor=pointer]`,
    );
  },
};
