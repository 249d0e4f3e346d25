/** The first calls, as the README has them; `base` is this server. */
export function toFirstCalls(base: string): { title: string; code: string }[] {
  return [
    {
      title: 'A token for a program',
      code: `TOKEN=$(curl -s ${base}/oauth2/token \\
  -d grant_type=client_credentials \\
  -d client_id="$CLIENT_ID" \\
  -d client_secret="$CLIENT_SECRET" | jq -r .access_token)`,
    },
    {
      title: 'Invite a practitioner',
      code: `curl -X POST ${base}/admin/projects/$PROJECT/invite \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"resourceType": "Practitioner", "firstName": "Ada",
       "lastName": "Okonkwo", "email": "ada@clinic.example"}'`,
    },
    {
      title: 'Who is in, without the programs',
      code: `curl -g "${base}/fhir/R4/ProjectMembership\\
?profile-type:not=ClientApplication,Bot&_sort=-_lastUpdated" \\
  -H "Authorization: Bearer $TOKEN"`,
    },
    {
      title: 'Run a bot',
      code: `curl -X POST "${base}/fhir/R4/Bot/\\$execute\\
?identifier=https://clinic.example|intake" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: x-application/hl7-v2+er7' \\
  --data-binary @adt-a01.hl7`,
    },
  ];
}
