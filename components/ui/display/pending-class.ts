/** What is not confirmed pales, where that takes long enough to be seen; nothing moves. For what carries `aria-busy` while it is pending. */
export const pendingClass = 'transition-opacity duration-150 aria-busy:opacity-55 aria-busy:delay-150';
