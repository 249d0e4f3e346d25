import { type Stubs, stubsRequest } from '#lib/protocol/bots/dry-run.ts';

/** What is typed as stubs: none where that is nothing; `fault` where it is no JSON, or not such. */
export function readStubs(text: string): { stubs?: Stubs; fault?: string } {
  if (text.trim() === '') return {};
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: 'This is not JSON yet' };
  }
  const { data, error } = stubsRequest.safeParse(json);
  if (data) return { stubs: data };
  const [issue] = error.issues;
  const path = issue!.path.join('.');
  return { fault: path ? `${path}: ${issue!.message}` : issue!.message };
}
