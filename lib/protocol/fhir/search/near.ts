import type { SearchParam } from '../index/search-params.ts';
import type { Expr } from './ir.ts';
import type { Circle } from './measures.ts';
import { badParameter, requireFewRanges, type SearchValue } from './values.ts';

/** Kilometres of a unit, as UCUM names them and as people write them. */
const KILOMETRES: Record<string, number> = {
  km: 1,
  m: 0.001,
  kms: 1,
  '[mi_i]': 1.609344,
  '[mi_us]': 1.609347219,
  mi: 1.609344,
  miles: 1.609344,
  '[nmi_i]': 1.852,
};
/** How near is near, when nobody says: R4 leaves it to the server (location.html#positional). */
const DEFAULT_KM = 50;
const NUMBER = /^-?\d{1,3}(\.\d{1,20})?$/;
const DISTANCE = /^\d{1,9}(\.\d{1,20})?$/;

/** `latitude|longitude|distance|units`; without units kilometres. */
export function nearFilter(param: SearchParam, values: SearchValue[], name: string): Expr {
  requireFewRanges(values, name);
  return { op: 'near', param: param.id, anyOf: values.map((value) => circleOf(value, name)) };
}

function circleOf([lat = '', long = '', distance = '', unit = '', ...rest]: SearchValue, name: string): Circle {
  const [latitude, longitude] = [Number(lat), Number(long)];
  const km = distance === '' ? DEFAULT_KM : Number(distance) * (KILOMETRES[unit || 'km'] ?? Number.NaN);
  const isPlace = NUMBER.test(lat) && NUMBER.test(long) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  if (!isPlace || rest.length > 0 || Number.isNaN(km) || (distance !== '' && !DISTANCE.test(distance))) {
    throw badParameter(
      name,
      `${name} must be latitude|longitude|distance|units, with units of ${Object.keys(KILOMETRES).join(', ')}`,
    );
  }
  return { latitude, longitude, km };
}
