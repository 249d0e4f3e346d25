/** A number that no system gives to anybody (https://systemd.io/UIDS-GIDS). A process's own user is so many after it as its pid says. */
export const FIRST_USER = 0x7000_0000;
/** Where a container has few numbers. */
export const NOBODY = 65_534;
