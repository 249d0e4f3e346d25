import stringDecoder from 'string_decoder/';

export { stringDecoder };
