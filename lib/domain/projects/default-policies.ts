import type { AccessPolicyRule, DefaultPolicy } from '#lib/protocol/fhir/types.ts';

/**
 * What a new project's members may do until an administrator writes policies of its own. `Patient` and `RelatedPerson` read the one
 * patient's record and nothing else. `Practitioner` works on clinical, scheduling and billing records, reads directories, definitions
 * and bots, and keeps its own profile up to date. `Admin` reaches every type; what only administrators may touch comes from the role.
 */
export function defaultPolicies(): { profileType: DefaultPolicy['profileType']; rules: AccessPolicyRule[] }[] {
  return [
    { profileType: 'Patient', rules: patientRules() },
    { profileType: 'RelatedPerson', rules: [...patientRules(), own('RelatedPerson')] },
    { profileType: 'Practitioner', rules: practitionerRules() },
    { profileType: 'Admin', rules: [{ resourceType: '*' }] },
  ];
}

/** In these the patient is the one that the record is about. */
const BY_PATIENT = words(`AllergyIntolerance Appointment CarePlan CareTeam Condition Consent Coverage DiagnosticReport
  DocumentReference Encounter EpisodeOfCare ExplanationOfBenefit FamilyMemberHistory Goal ImagingStudy Immunization
  MedicationAdministration MedicationDispense MedicationRequest MedicationStatement NutritionOrder Observation
  Procedure QuestionnaireResponse RiskAssessment ServiceRequest Specimen VisionPrescription`);

function patientRules(): AccessPolicyRule[] {
  return [
    { resourceType: 'Patient', criteria: 'Patient?_id=%patient.id', readonly: true },
    ...BY_PATIENT.map((type) => ({ resourceType: type, criteria: `${type}?patient=%patient`, readonly: true })),
    ...['subject', 'sender', 'recipient'].map((role) => ({
      resourceType: 'Communication',
      criteria: `Communication?${role}=%patient`,
      readonly: true,
    })),
  ];
}

function own(type: string): AccessPolicyRule {
  return { resourceType: type, criteria: `${type}?_id=%profile.id`, readonly: true };
}

const WORKED_ON =
  words(`Account AdverseEvent AllergyIntolerance Appointment AppointmentResponse Basic Binary BodyStructure
  CarePlan CareTeam ChargeItem Claim ClaimResponse ClinicalImpression Communication CommunicationRequest Composition
  Condition Consent Contract Coverage CoverageEligibilityRequest CoverageEligibilityResponse DetectedIssue Device
  DeviceMetric DeviceRequest DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference Encounter
  EnrollmentRequest EnrollmentResponse EpisodeOfCare ExplanationOfBenefit FamilyMemberHistory Flag Goal Group
  GuidanceResponse ImagingStudy Immunization ImmunizationEvaluation ImmunizationRecommendation Invoice Linkage List
  Media MedicationAdministration MedicationDispense MedicationRequest MedicationStatement MolecularSequence
  NutritionOrder Observation Patient PaymentNotice PaymentReconciliation Person Procedure Provenance
  QuestionnaireResponse RelatedPerson RequestGroup ResearchSubject RiskAssessment Schedule ServiceRequest Slot Specimen
  SupplyDelivery SupplyRequest Task VisionPrescription`);

const LOOKED_UP = words(`ActivityDefinition Bot ChargeItemDefinition CodeSystem ConceptMap DeviceDefinition Endpoint
  HealthcareService InsurancePlan Library Location Measure Medication MedicationKnowledge NamingSystem
  ObservationDefinition Organization OrganizationAffiliation PlanDefinition Practitioner PractitionerRole Questionnaire
  ResearchStudy SpecimenDefinition Substance ValueSet`);

function practitionerRules(): AccessPolicyRule[] {
  return [
    ...WORKED_ON.map((resourceType) => ({ resourceType })),
    ...LOOKED_UP.map((resourceType) => ({ resourceType, readonly: true })),
    { resourceType: 'Practitioner', criteria: 'Practitioner?_id=%profile.id', interaction: ['read', 'update'] },
  ];
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
