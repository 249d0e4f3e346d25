import { expect, test } from 'vitest';
import { xhtmlFault } from './xhtml.ts';

test.for([
  '<div/>',
  ' <div xmlns="http://www.w3.org/1999/xhtml" xml:lang="de">Änne &amp; Käthe &nbsp;&#160;&#xA0; 1 > 0</div>\n',
  '<div>The object of on = 3 &lt; form <b>base</b></div>',
  '<div><p class="a" style=\'color: red\'>x<br/><br />y</p><!-- note --><hr/></div>',
  '<div><a href="https://example.org/?a=1&amp;b=2">x</a><a name="here"/><a href="#here">y</a></div>',
  '<div><table border="1"><thead><tr><th colspan="2">x</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></div>',
  '<div><img src="data:image/png;base64,AAAA" alt="x"/><img src="Binary/1" alt="a &quot;b&quot;"/></div>',
])('is a narrative: %s', (html) => {
  expect(xhtmlFault(html)).toBeUndefined();
});

test.for([
  'text',
  '<p>x</p>',
  '<div>x',
  '<div><b>x</div>',
  '<div><b>x</i></b></div>',
  '<div>x</div><div>y</div>',
  '<div>x</div> and more',
  '<div>a < b</div>',
  '<div>a & b</div>',
  '<div><br></div>',
  '<div><p class=a>x</p></div>',
  '<div><p hidden>x</p></div>',
  '<div><p class="a" class="b">x</p></div>',
  '<div><p class="a"id="b">x</p></div>',
  '<div><p title="a < b">x</p></div>',
  '<div><p title="a & b">x</p></div>',
  '<div><!-- x</div>',
  '<div><![CDATA[x]]></div>',
  '<div><?php 1 ?></div>',
  '<div></ b></div>',
])('is not well-formed, or no div: %s', (html) => {
  expect(xhtmlFault(html)).toMatch(/must be/);
});

test.for([
  '<div><script>1</script></div>',
  '<div><IFRAME src="x"/></div>',
  '<div><DIV>x</DIV></div>',
  '<div><form><input/></form></div>',
  '<div><p class="a"\n onclick = "x">y</p></div>',
  '<div onload="x">y</div>',
  '<div><svg:a>x</svg:a></div>',
  '<div><a href="javascript :x">y</a></div>',
  '<div><a href=" java&#10;script&#58;x">y</a></div>',
  '<div><a href="&#x6A;avascript&colon;x">y</a></div>',
  '<div><a href="vbscript:x">y</a></div>',
  '<div><a href="data:text/html,x">y</a></div>',
  '<div><p style="background: url(javascript:x)">y</p></div>',
])('could act, or is more than formatting: %s', (html) => {
  expect(xhtmlFault(html)).toMatch(/must not contain/);
});

test('another namespace is another language', () => {
  expect(xhtmlFault('<div xmlns="http://www.w3.org/2000/svg">x</div>')).toMatch(/namespace/);
});

test('a narrative that would take long to look through is refused', () => {
  for (const mark of ['<b/>', '&lt;']) {
    expect(xhtmlFault(`<div>${mark.repeat(90_000)}</div>`)).toBeUndefined();
    expect(xhtmlFault(`<div>${mark.repeat(110_000)}</div>`)).toMatch(/more than 100000 tags and entities/);
  }
});
