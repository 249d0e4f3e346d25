'use client';
import { useEffect, useState } from 'react';

/** What HL7 v2.5.1 calls a place; undefined for what it does not know, as Z segments. */
export type Hl7Names = (segment: string, field?: number, component?: number) => string | undefined;

let loading: Promise<Hl7Names> | undefined;

/** HL7's names, once they are loaded: until then, and where they cannot be, a message is outlined without. */
export function useHl7Names(): Hl7Names | undefined {
  const [names, setNames] = useState<Hl7Names>();
  useEffect(() => {
    let isGone = false;
    loading ??= loadNames();
    loading.then(
      (loaded) => isGone || setNames(() => loaded),
      () => {
        loading = undefined;
      },
    );
    return () => {
      isGone = true;
    };
  }, []);
  return names;
}

async function loadNames(): Promise<Hl7Names> {
  const [{ default: segments }, { default: types }] = await Promise.all([
    import('hl7-dictionary/lib/2.5.1/segments.js'),
    import('hl7-dictionary/lib/2.5.1/fields.js'),
  ]);
  return (segment, field, component) => {
    const found = Object.hasOwn(segments, segment) ? segments[segment] : undefined;
    if (!found || field === undefined) return found?.desc;
    const place = found.fields[field - 1];
    if (!place || component === undefined) return place?.desc;
    return Object.hasOwn(types, place.datatype) ? types[place.datatype]?.subfields[component - 1]?.desc : undefined;
  };
}
