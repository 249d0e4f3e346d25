import events from 'events/';

export { events };
