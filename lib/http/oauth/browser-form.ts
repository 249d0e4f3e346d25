import { type BodyReader, readForm } from '../door/read-body.ts';

/** As long as an address may be: a form that another site has a browser send comes back as one. */
const MOST_BYTES = 12_288;

export const browserForm: BodyReader<URLSearchParams> = { read: (request) => readForm(request, MOST_BYTES) };
