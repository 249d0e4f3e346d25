import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import type { Target } from './authorize-request.ts';

/** The app's address with the answer, and with who it is from (RFC 9207), so that no other server's answer is taken for ours. */
export function answerApp({ redirectUri, state }: Target, answer: Record<string, string>): string {
  const url = new URL(redirectUri);
  const all = { ...answer, ...(state !== undefined && { state }), iss: env().BASE_URL };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}

/** What `run` gives, or the app's address with what it threw. Everything but a refusal is thrown on. */
export async function tellRefusal(target: Target, run: () => Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError) || error.options.oauth === undefined) throw error;
    return answerApp(target, { error: error.options.oauth, error_description: error.message });
  }
}
