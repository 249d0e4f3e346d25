import { expect, test } from 'vitest';
import { answerByStub } from './answer-by-stub.ts';

const stubs = {
  fetch: [
    { url: 'https://lab.example/orders', method: 'POST', status: 201, body: 'made' },
    { url: 'https://lab.example/*', status: 404 },
  ],
};

test('a fetch is answered by the first stub that fits its method and address', () => {
  expect(answerByStub('fetch', ['https://lab.example/orders', { method: 'post' }], stubs, undefined)?.answer()).toEqual(
    {
      url: 'https://lab.example/orders',
      status: 201,
      statusText: '',
      headers: [],
      isRedirected: false,
      text: 'made',
    },
  );
  expect(answerByStub('fetch', [{ url: 'https://lab.example/orders' }], stubs, undefined)?.answer()).toMatchObject({
    status: 404,
  });
});

test('what no stub answers is refused, and the refusal names the host and nothing else', () => {
  const call = answerByStub('fetch', ['https://other.example/Patient/1?name=Ann'], stubs, undefined);
  expect(() => call?.answer()).toThrow('A dry run does not fetch: no stub answers GET other.example');
});

test('mail is answered as if it were sent where the request says so, and refused otherwise', () => {
  expect(answerByStub('sendEmail', [{}], { mail: true }, undefined)?.answer()).toMatchObject({
    resourceType: 'OperationOutcome',
  });
  expect(() => answerByStub('sendEmail', [{}], {}, undefined)?.answer()).toThrow('A dry run does not send mail');
});

test('another bot is never run', () => {
  expect(() => answerByStub('executeBot', ['x'], {}, undefined)?.answer()).toThrow(
    'A dry run does not run another bot',
  );
});

test('everything else is answered as in every run', () => {
  expect(answerByStub('readResource', ['Patient', '1'], {}, undefined)).toBeUndefined();
});
