import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { jobOf, readable } from './run-job.fixture.ts';
import type { Supervisor } from './supervisor.ts';

const require = createRequire(import.meta.url);

/** The expressions that are one thing in this Node and another in a bot; what is thrown is its answer. `before`: statements that both begin with. */
export async function besideNode(supervisor: Supervisor, expressions: readonly string[], before = '') {
  const each = expressions.map((text) => `async () => (${text})`).join(',\n');
  const body = `${before};
    const told = (error) => ({ threw: error?.name, code: error?.code, message: error?.message });
    const late = () => new Promise((done) => setTimeout(done, 300, 'comes never'));
    const answers = [];
    for (const ask of [${each}]) {
      try { answers.push((await Promise.race([ask(), late()])) ?? null); } catch (error) { answers.push(told(error)); }
    }
    return answers;`;
  const inNode = (await new Function('require', `return (async () => {${body}})();`)(require)) as unknown[];
  const result = readable(await supervisor.run(await jobOf(`exports.handler = async () => {${body}};`)));
  if (!result.ok) throw new Error(JSON.stringify(result));
  const inBot = result.value.value as unknown[];
  const wanted = JSON.parse(JSON.stringify(inNode)) as unknown[];
  return expressions.flatMap((expression, at) => {
    const [node, bot] = [placeless(wanted[at]), placeless(inBot[at])];
    return isDeepStrictEqual(node, bot)
      ? []
      : [`${expression}\n  in Node: ${JSON.stringify(node)}\n  in a bot: ${JSON.stringify(bot)}`];
  });
}

/** Where an error was made is another place. */
export function placeless(answer: unknown): unknown {
  return typeof answer === 'string'
    ? answer.replaceAll(/(?:\n *(?:at|\.\.\. \d+ lines matching) [^\n]*?(?=\n| \{\n|$))+/g, '\n    at')
    : answer;
}
