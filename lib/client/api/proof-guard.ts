/** Asks the person to show again who they are. True when they have. */
export type ProofAsker = () => Promise<boolean>;

let asker: ProofAsker | undefined;
let asking: Promise<boolean> | undefined;

/** The console's frame offers itself; the answer takes the offer back. */
export function offerProof(ask: ProofAsker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = undefined;
  };
}

/** For acts that are refused because the sign-in was long ago: all that wait share one dialog. False where nobody can ask. */
export async function regainProof(): Promise<boolean> {
  if (!asker) return false;
  asking ??= asker().finally(() => {
    asking = undefined;
  });
  return asking;
}
