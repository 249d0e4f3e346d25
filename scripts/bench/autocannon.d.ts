/** What the bench uses of a package that has no types. */
declare module 'autocannon' {
  type Request = {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string;
    setupRequest?: <R extends { path?: string; body?: string | Buffer; headers?: object }>(request: R) => R;
    onResponse?: (status: number, body: string) => void;
  };
  type Result = { '2xx': number; '3xx': number; non2xx: number; errors: number; timeouts: number; duration: number };
  type Run = Promise<Result> & {
    on(event: 'response', heard: (client: unknown, status: number, bytes: number, ms: number) => void): void;
  };
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    requests: Request[];
  }): Run;
}
