import { type ApiRequest, apiResponse } from './api.ts';
import { ApiError } from './api-error.ts';

/** Like `api`, for what is long: its pieces as they come. Throws ApiError 0 where it breaks off. */
export async function* apiPieces(path: string, request: ApiRequest = {}): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const response = await apiResponse(path, request);
  const reader = response.body!.getReader();
  try {
    while (true) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw request.signal?.aborted ? error : new ApiError(0, []);
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
