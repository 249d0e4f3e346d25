/** Where WebSockets of subscriptions come in: the peer's client knows no other place. */
export const SOCKET_PATH = '/ws/subscriptions-r4';
