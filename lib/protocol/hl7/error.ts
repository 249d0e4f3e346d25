/** Text that is not one HL7 v2 message. The message is public. */
export class Hl7Error extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Hl7Error';
  }
}
