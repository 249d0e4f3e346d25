import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const ROOT = `${import.meta.dirname}/../..`;
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');
const PAGE = read('docs/asvs.md');

/** How many requirements of levels 1 and 2 each section of OWASP ASVS 5.0 has; those of level 3 come after them. */
const SECTIONS: Record<string, number> = {
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
};

type Row = { id: string; level: string; asks: string; how: string; held: string };

const ROWS: Row[] = [...PAGE.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| ([^|]+) \| ([^|]+) \| ([^|]*) \|$/gm)].map(
  ([, id = '', level = '', asks = '', how = '', held = '']) => ({ id, level, asks, how, held: held.trim() }),
);

/** What a file calls its tests: `test('…'`, and `test.each(…)('…'`; what is skipped is none. */
function titlesOf(path: string): Set<string> {
  const found = read(path).matchAll(/(?:\b(?:test|it)|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1,/g);
  return new Set([...found].map((match) => match[2]!.replaceAll("\\'", "'")));
}

/** The tests that a line names, each as its file in code and its name after a colon. */
function namedBy(held: string): { path: string; title: string }[] {
  return held
    .split('<br>')
    .filter(Boolean)
    .map((part) => {
      const [, path = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(part) ?? [];
      return { path, title };
    });
}

describe('docs/asvs.md', () => {
  test('has each requirement of levels 1 and 2 once, and no other', () => {
    const expected = Object.entries(SECTIONS).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
    );
    expect(ROWS.map(({ id }) => id)).toEqual(expected);
    expect([...PAGE.matchAll(/^\| \d+\.\d+\.\d+ /gm)]).toHaveLength(ROWS.length);
  });

  test('says of each whether it is met, does not apply, and why, or is not met, and what is missing', () => {
    const unsaid = ROWS.filter(({ how }) => !/^(Met\.|(Does not apply|Not met): \S)/.test(how));
    expect(unsaid).toEqual([]);
  });

  test('names of what is met a test that is there', () => {
    const unheld = ROWS.filter(({ how, held }) => how.startsWith('Met') && held === '').map(({ id }) => id);
    expect(unheld).toEqual([]);
    const gone = ROWS.flatMap(({ id, held }) =>
      namedBy(held)
        .filter(({ path, title }) => {
          const isTest = /\.(test|spec)\.ts$/.test(path) && existsSync(`${ROOT}/${path}`);
          return !isTest || !titlesOf(path).has(title);
        })
        .map((named) => ({ id, ...named })),
    );
    expect(gone).toEqual([]);
  });

  test('tells the bounds that the program has', () => {
    const bounds = [...PAGE.matchAll(/^\| [^|]+ \| [^|]+ \| `([^`|]+)` \| `([^`|]+)` \|$/gm)];
    expect(bounds.length).toBeGreaterThan(15);
    const other = bounds.filter(
      ([, path = '', text = '']) => !existsSync(`${ROOT}/${path}`) || !read(path).includes(text),
    );
    expect(other.map(([line]) => line)).toEqual([]);
  });
});

test('every password is typed where it is masked, may be pasted, and is known to password managers', () => {
  const screens = globSync(['app/**/*.tsx', 'components/**/*.tsx'], { cwd: ROOT });
  const elements = screens.flatMap((path) => [...read(path).matchAll(/<(\w*Input)\b([^<]*?)\/>/gs)]);
  const ofPasswords = elements.filter(([, , attributes = '']) => /register\('(\w*[pP]assword)'\)/.test(attributes));
  expect(ofPasswords.length).toBeGreaterThan(5);
  const others = ofPasswords.filter(
    ([, name, attributes = '']) =>
      name !== 'PasswordInput' || !/autoComplete="(current|new)-password"/.test(attributes),
  );
  expect(others.map(([element]) => element)).toEqual([]);
  expect(read('components/ui/form/password-input.tsx')).toContain("type={shown ? 'text' : 'password'}");
  expect(screens.filter((path) => /onPaste|onBeforeInput/.test(read(path)))).toEqual([]);
});

test('nothing that the program draws comes from Math.random', () => {
  const files = globSync(['app/**/*.{ts,tsx}', 'components/**/*.tsx', 'lib/**/*.ts'], { cwd: ROOT });
  const drawing = files.filter((path) => !path.endsWith('.test.ts') && read(path).includes('Math.random'));
  expect(files.length).toBeGreaterThan(500);
  expect(drawing).toEqual([]);
});
