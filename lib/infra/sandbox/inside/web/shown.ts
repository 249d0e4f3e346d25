import * as streams from 'web-streams-polyfill';
import { shows } from '../name-classes.ts';
import { AbortController, AbortSignal } from './abort.ts';
import { Blob, File } from './blob.ts';
import { Event } from './event-target.ts';
import { FormData } from './form-data.ts';
import { Headers } from './headers.ts';
import { Request } from './request.ts';
import { Response } from './response.ts';

const { ReadableStream, TransformStream, WritableStream } = streams;
type Inner = { locked: boolean; _state: string; _backpressure: boolean; _readableStreamController: object };

/** As Node shows them. */
export function showWeb(): void {
  shows(AbortController, 'signal');
  shows(AbortSignal, 'aborted');
  shows(Blob, 'size type');
  shows(File, 'size type name lastModified');
  shows(Event, 'type defaultPrevented cancelable timeStamp');
  shows(Headers, (headers) => Object.fromEntries(headers as never));
  shows(FormData, (form) => {
    const shown: Record<string, unknown> = Object.create(null);
    for (const [name, value] of form as unknown as Iterable<[string, unknown]>)
      shown[name] = name in shown ? [shown[name], value].flat() : value;
    return { ...shown };
  });
  shows(Response, 'status statusText headers body bodyUsed ok redirected type url');
  shows(
    Request,
    'method url headers destination referrer referrerPolicy mode credentials cache redirect integrity keepalive signal',
  );
  shows(ReadableStream, (stream) => {
    const { locked, _state: state, _readableStreamController: controller } = stream as unknown as Inner;
    return { locked, state, supportsBYOB: controller instanceof streams.ReadableByteStreamController };
  });
  shows(WritableStream, (stream) => {
    const { locked, _state: state } = stream as unknown as Inner;
    return { locked, state };
  });
  shows(TransformStream, ({ readable, writable, ...inner }) => {
    return { readable, writable, backpressure: (inner as unknown as Inner)._backpressure };
  });
}
