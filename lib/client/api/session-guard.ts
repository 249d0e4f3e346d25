/** Asks the person to sign in again, in place. True when the same project is open again. */
export type SignInAsker = () => Promise<boolean>;

let asker: SignInAsker | undefined;
let asking: Promise<boolean> | undefined;

/** The console's frame offers itself; the answer takes the offer back. */
export function offerSignIn(ask: SignInAsker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = undefined;
  };
}

/** For requests answered 401: all that wait share one dialog. False where nobody can ask (the sign-in pages themselves). */
export async function regainSession(): Promise<boolean> {
  if (!asker) return false;
  asking ??= asker().finally(() => {
    asking = undefined;
  });
  return asking;
}
