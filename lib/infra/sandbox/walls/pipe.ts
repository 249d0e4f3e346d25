/** The descriptor by which a process behind the walls and the server speak, both ways: the one after its standard ones. */
export const PIPE = 3;
