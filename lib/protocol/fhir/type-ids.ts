import { AppError } from '#lib/base/errors.ts';

/** The HL7 R4 resource types. */
const R4 = `
  Account ActivityDefinition AdverseEvent AllergyIntolerance Appointment AppointmentResponse AuditEvent Basic
  Binary BiologicallyDerivedProduct BodyStructure Bundle CapabilityStatement CarePlan CareTeam CatalogEntry
  ChargeItem ChargeItemDefinition Claim ClaimResponse ClinicalImpression CodeSystem Communication
  CommunicationRequest CompartmentDefinition Composition ConceptMap Condition Consent Contract Coverage
  CoverageEligibilityRequest CoverageEligibilityResponse DetectedIssue Device DeviceDefinition DeviceMetric
  DeviceRequest DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference EffectEvidenceSynthesis
  Encounter Endpoint EnrollmentRequest EnrollmentResponse EpisodeOfCare EventDefinition Evidence EvidenceVariable
  ExampleScenario ExplanationOfBenefit FamilyMemberHistory Flag Goal GraphDefinition Group GuidanceResponse
  HealthcareService ImagingStudy Immunization ImmunizationEvaluation ImmunizationRecommendation
  ImplementationGuide InsurancePlan Invoice Library Linkage List Location Measure MeasureReport Media Medication
  MedicationAdministration MedicationDispense MedicationKnowledge MedicationRequest MedicationStatement
  MedicinalProduct MedicinalProductAuthorization MedicinalProductContraindication MedicinalProductIndication
  MedicinalProductIngredient MedicinalProductInteraction MedicinalProductManufactured MedicinalProductPackaged
  MedicinalProductPharmaceutical MedicinalProductUndesirableEffect MessageDefinition MessageHeader
  MolecularSequence NamingSystem NutritionOrder Observation ObservationDefinition OperationDefinition
  OperationOutcome Organization OrganizationAffiliation Parameters Patient PaymentNotice PaymentReconciliation
  Person PlanDefinition Practitioner PractitionerRole Procedure Provenance Questionnaire QuestionnaireResponse
  RelatedPerson RequestGroup ResearchDefinition ResearchElementDefinition ResearchStudy ResearchSubject
  RiskAssessment RiskEvidenceSynthesis Schedule SearchParameter ServiceRequest Slot Specimen SpecimenDefinition
  StructureDefinition StructureMap Subscription Substance SubstanceNucleicAcid SubstancePolymer SubstanceProtein
  SubstanceReferenceInformation SubstanceSourceMaterial SubstanceSpecification SupplyDelivery SupplyRequest Task
  TerminologyCapabilities TestReport TestScript ValueSet VerificationResult VisionPrescription`;

/** The types that the platform adds (api.md §3). */
const IDENTITY = `
  AccessPolicy AsyncJob Bot ClientApplication DomainConfiguration JsonWebKey Login Project ProjectMembership User
  UserConfiguration UserSecurityRequest`;

/**
 * A type number is its position in this list, from 1. It stands in every row and every token:
 * part of the data format. Append at the end; never reorder, never remove.
 */
const NAMES: readonly string[] = `${R4} ${IDENTITY}`.trim().split(/\s+/);
const IDS: ReadonlyMap<string, number> = new Map(NAMES.map((name, index) => [name, index + 1]));
const IDENTITY_NAMES: ReadonlySet<string> = new Set(IDENTITY.trim().split(/\s+/));

export function isResourceType(name: unknown): name is string {
  return typeof name === 'string' && IDS.has(name);
}

export function isIdentityType(name: string): boolean {
  return IDENTITY_NAMES.has(name);
}

/** The stable number of a resource type. Throws AppError unknown-type (404). */
export function typeId(name: string): number {
  const id = IDS.get(name);
  if (id === undefined) throw new AppError('unknown-type', `Unknown resource type: ${name}`);
  return id;
}

/** The name behind a stored number. Throws a plain Error: a number that is not in the list is our own fault. */
export function typeName(id: number): string {
  const name = NAMES[id - 1];
  if (name === undefined) throw new Error(`No resource type has number ${id}`);
  return name;
}

export function resourceTypes(): readonly string[] {
  return NAMES;
}
