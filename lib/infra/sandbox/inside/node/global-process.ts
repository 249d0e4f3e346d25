export * as process from './process.ts';
