import type { Address, ContactPoint, HumanName } from 'fhir/r4';
import { type Ctx, requireActor } from '../access/context.ts';
import { findUser } from '../accounts/find-user.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

/** What the record behind a membership has of a person. */
type Profile = { resourceType: string; name?: HumanName[]; telecom?: ContactPoint[]; address?: Address[] };

/**
 * OpenID Connect Core §5.3. `sub` is that of the ID token, as §5.3.2 demands and certified clients check (the peer gives its profile's id); the
 * profile is `fhirUser`. Claims by scope.
 */
export async function readUserInfo(ctx: Ctx): Promise<Record<string, unknown>> {
  const { user, profile, scope, projectId } = requireActor(ctx);
  const [type, sub = ''] = user.split('/');
  const [profileType = '', profileId = ''] = profile.split('/');
  const has = new Set(scope.split(' '));
  const row = ['profile', 'phone', 'address'].some((name) => has.has(name))
    ? await findRow(projectId, profileType, profileId)
    : undefined;
  const record = row && !row.deleted ? toResource<Profile & { id: string }>(row) : undefined;
  const person = has.has('email') && type === 'User' ? await findUser(sub, projectId) : undefined;
  return {
    sub,
    ...(has.has('profile') && nameClaims(record)),
    ...(has.has('profile') || has.has('fhirUser') ? { fhirUser: profile } : {}),
    ...(person?.email && { email: person.email, email_verified: person.emailVerified === true }),
    ...(has.has('phone') && phoneClaims(record)),
    ...(has.has('address') && addressClaims(record)),
  };
}

function nameClaims(record: Profile | undefined): object {
  const name = Array.isArray(record?.name) ? record.name[0] : undefined;
  const given = name?.given?.join(' ');
  const whole = name?.text ?? [given, name?.family].filter(Boolean).join(' ');
  return {
    ...(whole && { name: whole }),
    ...(given && { given_name: given }),
    ...(name?.family && { family_name: name.family }),
  };
}

function phoneClaims(record: Profile | undefined): object {
  const phone = record?.telecom?.find(({ system, value }) => (system === 'phone' || system === 'sms') && value);
  return phone ? { phone_number: phone.value } : {};
}

/** §5.1.1. */
function addressClaims(record: Profile | undefined): object {
  const known = record?.address?.[0];
  if (!known) return {};
  const { line, city, state, postalCode, country } = known;
  const street = line?.join('\n');
  const lines = [street, [postalCode, city].filter(Boolean).join(' '), state, country];
  return {
    address: {
      formatted: known.text ?? lines.filter(Boolean).join('\n'),
      ...(street && { street_address: street }),
      ...(city && { locality: city }),
      ...(state && { region: state }),
      ...(postalCode && { postal_code: postalCode }),
      ...(country && { country }),
    },
  };
}
