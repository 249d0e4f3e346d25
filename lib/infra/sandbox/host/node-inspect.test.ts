import { afterAll, expect, it } from 'vitest';
import { besideNode, placeless } from './beside-node.fixture.ts';
import { jobOf } from './run-job.fixture.ts';
import { createSupervisor } from './supervisor.ts';

const supervisor = createSupervisor({ processes: 1 });
afterAll(() => supervisor.close());

/** One a line. */
const VALUES = String.raw`
{a:1,b:'x',c:[1,2,{d:{e:{f:1}}}]}
[1,'a',null,undefined,Symbol('s'),1n,-0,NaN,true]
new Map([[{a:1},{b:{c:{d:1}}}],['k',[1,2]]])
new Set(['a',{b:1}])
new Map()
{m:new Map(),s:new Set(),e:{},l:[]}
(()=>{const a={x:1};a.self=a;a.list=[a,{a}];return a})()
(()=>{const a={n:{}};a.n.up=a.n;a.top=a;return a})()
new Date(0)
new Date(NaN)
Object.assign(new Date(0),{a:1})
[/a/g,Object.assign(/b/,{x:1})]
Array.from({length:150},(_, i)=>i)
Array.from({length:101},(_, i)=>'item '+i)
Array.from({length:30},(_, i)=>'x'.repeat(i))
[,1,,,2]
Object.assign([1,2],{a:1,'b-c':2})
Object.assign(new Array(5),{4:1,x:2})
Object.create(null)
Object.assign(Object.create(null),{a:1})
(class Foo{constructor(){this.a=1}get b(){return 1}})
new (class Foo{constructor(){this.a=1}get b(){return 1}})()
new (class extends Array{})(3)
new (class Bar extends Map{})([[1,2]])
new (class Baz extends Set{get [Symbol.toStringTag](){return 'Q'}})([1])
{get a(){return 1},set a(v){},get b(){return 2},set c(v){}}
function foo(){}
()=>{}
async function bar(){}
function* gen(){}
async function* agen(){}
Object.assign(function f(){},{a:1})
class A{}
class B extends Map{}
class{}
'it\'s'
['it\'s','say "hi"','it\'s "x"','it\'s "x" $'+'{1}','a\nb','\u0001\x9f\ud800','back\\slash']
{'a-b':1,1:2,[Symbol('x')]:3,['__proto__']:4,'é':5}
'x'.repeat(200)
{a:'x'.repeat(100)}
{a:'line one of this text\nline two of this text, which is much longer than that\nend'}
'y'.repeat(10010)
{a:'y'.repeat(10010)}
new Uint8Array([1,2,3])
new Float64Array(120)
new BigInt64Array(2)
new ArrayBuffer(4)
new ArrayBuffer(200)
new DataView(new ArrayBuffer(2),1)
new WeakMap()
new WeakSet()
[Object(1),Object('ab'),Object(true),Object(1n),Object(Symbol('q'))]
Object.assign(Object('ab'),{c:1})
(function(){return arguments})(1,2)
Symbol('desc')
1234567.891
123456789n
{a:{b:{c:{}}}}
{a:{b:{c:{d:1}}}}
{a:{b:{c:[]}}}
{a:{b:{c:[1]}}}
{a:{b:{c:new Map([[1,2]])}}}
{a:{b:{c:new (class Foo{x=1})}}}
{a:{b:{c:Object.create(null,{x:{value:1,enumerable:true}})}}}
{a:{b:{c:/x/,d:new Date(0)}}}
{resourceType:'Patient',id:'123',name:[{family:'Smith',given:['John','Q']}],telecom:[{system:'phone',value:'555'}],active:true}
{resourceType:'Bundle',type:'searchset',entry:[{fullUrl:'urn:uuid:12345678-1234-1234-1234-123456789012',resource:{resourceType:'Patient',id:'1',meta:{versionId:'1'}}}]}
[{a:1,b:2},{a:3,b:4},{a:5,b:6}]
[['a',1],['b',2],['c',3],['d',4],['e',5],['f',6],['g',7]]
[1.5,22.25,333.125,4,5,6,7,8,9,10]
['日本','x','yy','中文字','a','b','c','d']
[undefined,null]
{a:undefined,b:null}
Math
JSON
[1,2].values()
(function*(){})()
new Error('boom')
new TypeError('bad',{cause:new Error('why')})
Object.assign(new Error('with'),{code:'E_X',status:400,details:{a:1}})
new (class MyError extends Error{})('mine')
new (class MyError extends Error{constructor(m){super(m);this.name='Other'}})('mine')
new (class ValidationError extends Error{constructor(m){super(m);this.name='ValidationError'}})('mine')
new AggregateError([new Error('a'),new Error('b')],'many')
(()=>{const e=new Error('x');e.stack=undefined;return e})()
(()=>{const e=new Error('x');delete e.stack;return e})()
(()=>{const e=new Error('nostack');e.stack='nostack';return e})()
{err:new RangeError('inner')}
[new Error('in list')]
new Error('')
new Error('multi\nline')
Object.create({a:1})
Object.create(class Foo{}.prototype)
Object.create(Object.create(null))
new (function(){})()
{[Symbol.toStringTag]:'T'}
{[Symbol.for('nodejs.util.inspect.custom')](d,o,i){return 'custom '+d+' '+typeof o.stylize+' '+i({x:1})}}
{a:{[Symbol.for('nodejs.util.inspect.custom')](d,o){return {replaced:d,c:o.compact}}}}
{a:{[Symbol.for('nodejs.util.inspect.custom')]:()=>'two\nlines'}}
{a:1n,b:Symbol.iterator}
[[[[[]]]]]
[[[[[1]]]]]
{f:function(){},g:()=>1,h:class Q{}}
Array.from({length:7},()=>({a:1}))
Array.from({length:27},(_, i)=>1.1*i)
Object.fromEntries(Array.from({length:40},(_, i)=>['key'+i,i]))
new Set(Array.from({length:130},(_, i)=>i))
[true,false,true,false,true,false,true,false]
[1n,2n,3n,4n,5n,6n,7n,800n]
['a','b']
{a:['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','ccccc']}
`
  .trim()
  .split('\n');

const OPTIONS = [
  {},
  { depth: 0 },
  { depth: null },
  { showHidden: true },
  { compact: false },
  { compact: true },
  { compact: 1 },
  { breakLength: 40 },
  { sorted: true },
  { getters: true },
  { numericSeparator: true },
  { maxArrayLength: 2, maxStringLength: 5 },
];

it.each(OPTIONS)('values are shown as Node shows them, with %j', async (options) => {
  // To look into a WeakMap is V8's alone.
  const values = VALUES.filter((value) => !('showHidden' in options) || !value.includes('Weak'));
  const shown = values.map((value) => `inspect(${value}, ${JSON.stringify(options)})`);
  const differ = await besideNode(supervisor, shown, `const { inspect } = require('util')`);
  expect(differ).toEqual([]);
});

it('colours are Node’s', async () => {
  // Newer ones colour the parts of a pattern.
  const shown = VALUES.filter((value) => !/Error|[[:]\/\w/.test(value)).map(
    (value) => `inspect(${value}, { colors: true })`,
  );
  const differ = await besideNode(supervisor, shown, `const { inspect } = require('util')`);
  expect(differ).toEqual([]);
});

it.each(['%s', '%d', '%i', '%f', '%j', '%o', '%O', '%c', '%%', '%x', 'a %s b'])(
  'values fill %s as in Node',
  async (what) => {
    const more = [
      '"text"',
      '42',
      '"42.5px"',
      '-0',
      '1n',
      'null',
      'undefined',
      'Symbol("a")',
      '{ toString: () => "T" }',
    ];
    const classes = ['new (class K { toString() { return "K!" } })', 'new (class L extends Date {})(0)'];
    // The bundler writes functions anew; to look into a WeakMap is V8's alone.
    const isSame = (value: string) => !/Weak|^\(?(?:async )?(?:function|class|\(\)=>)|function f\(/.test(value);
    const values = [...VALUES.filter(isSame), ...more, ...classes];
    const shown = values.map((value) => `format('${what}', ${value}, 'more', { a: 1 })`);
    const differ = await besideNode(supervisor, shown, `const { format } = require('util')`);
    expect(differ).toEqual([]);
  },
);

it.each([
  [
    `{ resourceType: 'Patient', name: [{ given: ['A'] }], active: true, multipleBirthInteger: 0, deep: { a: { b: { c: [1.5] } } } }`,
  ],
  ['[[1, "a", null, true]]'],
  ['{ at: new Date(0), none: undefined, list: Array.from({ length: 300 }, (_, at) => at) }'],
  ['Object.create(null)'],
])('what JSON tells all of is logged as JSON, whole and in one line: %s', async (value) => {
  const result = await supervisor.run(await jobOf(`exports.handler = async () => { console.log('a', ${value}) };`));
  const text = JSON.stringify(new Function(`return ${value}`)());
  expect(result.logs).toMatchObject([{ text: `a ${text}` }]);
});

it('of an error its stack is logged, and what else it has', async () => {
  const body = `exports.handler = async () => {
    console.error(new TypeError('plain'));
    console.error(Object.assign(new Error('more'), { status: 500 }), new Error('outer', { cause: 'inner' }));
  };`;
  const [plain, more] = (await supervisor.run(await jobOf(body))).logs.map(({ text }) => text);
  expect(plain).toMatch(/^TypeError: plain\n {4}at exports\.handler \(index\.ts:2:\d+\)$/);
  const place = / {4}at exports\.handler \(index\.ts:3:\d+\)/.source;
  expect(more).toMatch(
    new RegExp(`^Error: more\\n${place} { status: 500 } Error: outer\\n${place}\\n\\[cause\\]: inner$`),
  );
});

it('what else a bot logs is what Node writes', async () => {
  const calls = [
    // Of errors no objects are told, and texts in one piece.
    ...VALUES.filter((value) => !/repeat\(|Error|stack/.test(value)).map((value) => `log(${value})`),
    'log("a", 1, new Map([["b", [2]]]), undefined, Symbol("s"), 5n, -0)',
    'log("%s is %d", "x", "3", { a: 1 }); log("100 %", 1); log("%s"); log(); log("%o", [1])',
    'log(Buffer.from("abc"), new Set([Buffer.alloc(3)]))',
    'dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 })',
    'group("g"); log(new Map([["x".repeat(70), 1]])); group(); log("in"); groupEnd(); groupEnd(); log("out")',
    'table([{ a: 1, b: "x" }, { a: 2, c: { d: 1 } }]); table([1, "two", [3]]); table(new Map([["k", { v: 1 }]]))',
    'table(new Set([1])); table([{ a: 1, b: 2 }], ["b"]); table(5); table({ r: { x: 1 }, s: { x: "日本" } })',
    'count(); count("x"); count(); countReset(); count()',
  ];
  const written: string[] = [];
  const { Console } = await import('node:console');
  const { Writable } = await import('node:stream');
  const stdout = new Writable({ write: (chunk, _, done) => done(void written.push(String(chunk).replace(/\n$/, ''))) });
  // All in one line, and deeper: a log is read where a terminal is not.
  const inspectOptions = { depth: 8, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 65_536 };
  const console = new Console({ stdout, inspectOptions });
  const inNode = calls.map((call) => {
    new Function('console', `with (console) { ${call} }`)(console);
    return written.splice(0);
  });
  const body = `exports.handler = async () => { ${calls.map((call) => `with (console) { ${call} } console.warn('next');`).join('\n')} };`;
  const inBot: string[][] = [[]];
  const result = await supervisor.run(await jobOf(body));
  for (const { level, text } of result.logs) {
    if (level === 'warn') inBot.push([]);
    else inBot.at(-1)!.push(text);
  }
  expect(result.ok).toBe(true);
  const isJson = (call: string, [text]: string[]) => {
    const [, value] = /^log\((.*)\)$/.exec(call) ?? [];
    try {
      return value !== undefined && JSON.stringify(new Function(`return (${value})`)()) === text;
    } catch {
      return false;
    }
  };
  const told = (all: string[][]) =>
    calls.flatMap((call, at) => (isJson(call, inBot[at]!) ? [] : [[call, all[at]!.map(placeless)]]));
  expect(told(inBot)).toEqual(told(inNode));
  expect(told(inBot).length).toBeGreaterThan(45);
});
