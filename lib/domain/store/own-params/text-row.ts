/** Of which type the row of search_parameter is that stands for the words of a project's resources: of all. No type has this number. */
export const OF_ALL_TYPES = 0;
