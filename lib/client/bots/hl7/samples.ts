/** Messages of invented people, to begin with. */
export const HL7_SAMPLES: readonly { name: string; text: string }[] = [
  {
    name: 'ADT^A01, admission',
    text: [
      'MSH|^~\\&|ADT|HILLSIDE|GATEHOUSE|HILLSIDE|202611201200||ADT^A01^ADT_A01|MSG00001|P|2.5.1',
      'EVN|A01|202611201200',
      'PID|1||RN-1001^^^HILLSIDE^MR||Everyday^Eve^A||19700401|F|||12 Long Lane^^Hillside^^1234||555-0101',
      'PV1|1|I|WARD3^12^B||||1234^Lee^Anna^^^Dr|||MED',
    ].join('\n'),
  },
  {
    name: 'ORU^R01, result',
    text: [
      'MSH|^~\\&|LAB|HILLSIDE|GATEHOUSE|HILLSIDE|202611201315||ORU^R01^ORU_R01|MSG00002|P|2.5.1',
      'PID|1||RN-1001^^^HILLSIDE^MR||Everyday^Eve^A||19700401|F',
      'OBR|1|ORD-77|LAB-4711|24323-8^Metabolic panel^LN|||202611201230',
      'OBX|1|NM|2345-7^Glucose^LN||98|mg/dL|70-99|N|||F',
      'OBX|2|NM|2160-0^Creatinine^LN||1.4|mg/dL|0.6-1.2|H|||F',
    ].join('\n'),
  },
  {
    name: 'SIU^S12, appointment',
    text: [
      'MSH|^~\\&|SCHED|HILLSIDE|GATEHOUSE|HILLSIDE|202611201400||SIU^S12^SIU_S12|MSG00003|P|2.5.1',
      'SCH|APP-9|||||ROUTINE^Routine visit|CHECKUP^Check-up|||30|min^minutes|^^30^202612011000^202612011030',
      'PID|1||RN-1001^^^HILLSIDE^MR||Everyday^Eve^A||19700401|F',
      'AIP|1||1234^Lee^Anna^^^Dr|ATND|||202612011000',
    ].join('\n'),
  },
];
