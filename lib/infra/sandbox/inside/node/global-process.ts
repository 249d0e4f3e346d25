import * as own from './process.ts';

export const process = own;
