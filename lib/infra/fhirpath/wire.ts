/** Where in the resource, from its root down; of which path of the definitions; and what is asked there. */
export type Question = {
  at: readonly (string | number)[];
  path: string;
  expression: string;
  /** `decision`: whether it is true; what is no boolean has failed. */
  wants?: 'places' | 'decision';
  /** By name, elements of the root that the expression may speak of (`%name`); what is not there is empty. */
  variables?: readonly string[];
};

/** Where elements stand in the JSON of the resource, when a question wants that. */
export type Places = readonly (readonly (string | number)[])[];

export type Job = { text: string; questions: readonly Question[] };

/**
 * Of each question, in order: whether it holds; `empty` when it says neither; `failed` when it could not be evaluated. The rest is missing
 * when the time was over.
 */
export type Answer = 'true' | 'false' | 'empty' | 'failed' | 'unknown' | Places;

/** From the worker: that it can begin, or how far it came. */
export type FromWorker = 'ready' | { answers: Answer[] };
