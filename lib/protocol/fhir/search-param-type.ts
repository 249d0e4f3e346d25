/** R4 search-param-type. */
export type SearchParamType =
  | 'token'
  | 'string'
  | 'reference'
  | 'date'
  | 'number'
  | 'quantity'
  | 'uri'
  | 'composite'
  | 'special';
