import { afterAll, expect, it } from 'vitest';
import { besideNode } from './beside-node.fixture.ts';
import { createSupervisor } from './supervisor.ts';

const supervisor = createSupervisor({ processes: 1 });
afterAll(() => supervisor.close());

const PARSE = `parse = (args, options, more) => { const { values, ...others } = util.parseArgs({ args, options, ...more }); return [{ ...values }, others]; }`;
const NAMES = `{ foo: { type: 'boolean', short: 'f' }, bar: { type: 'string', short: 'b', default: 'z' }, many: { type: 'string', multiple: true } }`;
const KINDS = `[1, 'a', null, undefined, {}, [], new Map(), new Set(), new Date(), /a/, new Error(), new WeakMap(), new WeakSet(), Promise.resolve(),
  new Uint8Array(), new Float64Array(), new BigInt64Array(), new ArrayBuffer(1), new DataView(new ArrayBuffer(1)), Buffer.alloc(1), Object(1), Object('a'), Object(true),
  Object(1n), Object(Symbol()), () => 1, async () => 1, function* () {}, (function* () {})(), async function* () {}, (async function* () {})(),
  new Map().keys(), new Set().values(), (function () { return arguments; })(), Object.create(null), class {}, Symbol()]`;
const TYPES = [
  ...[
    'AnyArrayBuffer',
    'ArgumentsObject',
    'ArrayBuffer',
    'ArrayBufferView',
    'AsyncFunction',
    'BigInt64Array',
    'BoxedPrimitive',
  ],
  ...['DataView', 'Date', 'Float64Array', 'GeneratorFunction', 'GeneratorObject', 'Map', 'MapIterator', 'NativeError'],
  ...[
    'NumberObject',
    'Promise',
    'RegExp',
    'Set',
    'SetIterator',
    'StringObject',
    'SymbolObject',
    'TypedArray',
    'Uint8Array',
  ],
  ...['WeakMap', 'WeakSet', 'ModuleNamespaceObject', 'External', 'CryptoKey'],
];

it.each([
  [
    'util',
    `const util = require('util'); const { promisify, callbackify } = util; const ${PARSE};`,
    [
      ...TYPES.map((name) => `${KINDS}.map((value) => util.types.is${name}(value))`),
      `parse(['-f', '--bar', 'b', '--many', '1', '--many=2'], ${NAMES})`,
      `parse(['-fb', 'x', 'one', '--', '--two'], ${NAMES}, { allowPositionals: true, tokens: true })`,
      `parse(['-bx', '--no-foo'], ${NAMES}, { allowNegative: true })`,
      `parse(['--other', '-x', 'y'], ${NAMES}, { strict: false })`,
      ...['["--baz"]', '["one"]', '["--bar"]', '["--foo=1"]', '["--bar", "-x"]', '["-b", "-x"]'].map(
        (args) => `parse(${args}, ${NAMES})`,
      ),
      `parse(['--baz'], ${NAMES}, { allowPositionals: true })`,
      `parse([], { a: { type: 'x' } })`,
      `parse([], { a: { type: 'string', short: 'ab' } })`,
      `parse([], {})`,
      `promisify((a, done) => done(null, a + 1, 'more'))(1)`,
      `promisify((done) => done(new Error('no')))()`,
      `promisify(Object.assign(() => 1, { [promisify.custom]: () => 'own' }))()`,
      `promisify(Object.assign(function one(a, b) {}, { x: 1 })).x`,
      `promisify(5)`,
      `promisify(setTimeout)(1, 'late')`,
      `new Promise((done) => callbackify(async (a) => a * 2)(4, (error, value) => done([error, value])))`,
      `new Promise((done) => callbackify(async () => { throw null; })((error) => done([error.code, error.message, error.reason])))`,
      `callbackify(async function named(a) {}).name`,
      `((Below, Above) => { util.inherits(Below, Above); return [Below.super_ === Above, new Below() instanceof Above]; })(function () {}, function () {})`,
      `[util.isDeepStrictEqual({ a: [1, new Map([[1, 2]])] }, { a: [1, new Map([[1, 2]])] }), util.isDeepStrictEqual([1], ['1']), util.isDeepStrictEqual(new Set([{ a: 1 }]), new Set([{ a: 1 }]))]`,
      `[util.isDeepStrictEqual(NaN, NaN), util.isDeepStrictEqual(0, -0), util.isDeepStrictEqual({}, Object.create(null)), util.isDeepStrictEqual(new Date(1), new Date(1))]`,
      `[util.styleText('red', 'x'), util.styleText('red', 'x', { validateStream: false }), util.styleText(['bold', 'underline'], 'a\\u001b[22mb', { validateStream: false })]`,
      `util.styleText('#ff8800', 'x', { validateStream: false })`,
      `util.styleText('nothing', 'x')`,
      `util.stripVTControlCharacters('\\u001b[31mred\\u001b[0m plain')`,
      `((old) => [old(1), old(2), old.length])(util.deprecate((a) => a, 'old', 'D9'))`,
      `util.debuglog('x').enabled`,
      `util.toUSVString('a\\ud800')`,
      `util.formatWithOptions({ compact: false }, '%s', 'a', { b: 1 })`,
      `util.formatWithOptions(null, 'a')`,
      `[util.inspect.custom.toString(), util.inspect.defaultOptions.depth, util.inspect.colors.redBright, util.inspect.styles.date]`,
      `[util.inspect({ a: { b: { c: {} } } }, false, 0), util.inspect([1], true)]`,
    ],
  ],
])('%s is as in Node', async (_, before, expressions) => {
  expect(await besideNode(supervisor, expressions, before)).toEqual([]);
});
