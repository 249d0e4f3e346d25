const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = globalThis;

export { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout };
