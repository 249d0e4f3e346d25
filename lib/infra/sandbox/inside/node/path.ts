import posix from 'path-browserify';

const { format: formatParts } = posix;

/** https://nodejs.org/api/path.html, of POSIX, by its polyfill, with what that lacks: an `ext` may stand without its dot. */
export const path = Object.assign(posix, {
  format: ({ ext, ...parts }: Partial<ReturnType<typeof posix.parse>>) =>
    formatParts({ ...parts, ...(ext && { ext: ext.replace(/^\.?/, '.') }) } as never),
});
