// These have no types of their own, and the interface of the module that they stand for.
declare module 'readable-stream' {
  export { PassThrough, promises, Readable, Transform, Writable } from 'node:stream';
}
declare module 'assert/' {
  export { default } from 'node:assert';
}
declare module 'path-browserify' {
  export { default } from 'node:path';
}
declare module 'string_decoder/' {
  export { default } from 'node:string_decoder';
}
