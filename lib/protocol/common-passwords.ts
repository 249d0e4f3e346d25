/** The head of every published list of leaked passwords, lower case, of eight characters and more (shorter ones fall to the length rule). */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 12345678910 123123123 87654321 987654321 0987654321 11223344 1122334455 147258369 1q2w3e4r 1q2w3e4r5t 1qaz2wsx
  1qaz2wsx3edc q1w2e3r4 q1w2e3r4t5 qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwer1234 asdfghjk asdfghjkl asdf1234 zxcvbnm1
  zaq12wsx password passw0rd password1 password12 password123 password1234 password12345 password! passw0rd1 p@ssw0rd p@ssword pa55word
  letmein1 letmein123 iloveyou iloveyou1 iloveyou2 sunshine sunshine1 princess princess1 football football1 baseball baseball1 basketball
  superman superman1 batman123 welcome1 welcome12 welcome123 monkey123 dragon123 master123 shadow123 michael1 jordan23 jennifer charlie1
  computer computer1 internet whatever trustno1 starwars admin123 admin1234 administrator changeme changeme1 changeme123 default1 secret123
  test1234 test12345 testtest abc12345 abcd1234 abcdefgh abcdefg1 a1b2c3d4 aa123456 aa12345678 hello123 hunter22 google123 facebook linkedin
  mypassword mynoob123 samsung1 pokemon1 liverpool chelsea1 arsenal1 barcelona butterfly chocolate elephant family123 freedom1 friends1
  jessica1 lovelove loveyou1 maverick mercedes midnight nicholas november december september october1 summer2024 summer2025 summer2026
  winter2024 winter2025 winter2026 spring2025 spring2026 autumn2026 rockstar spiderman startrek success1 tinkerbell victoria william1
  zxcvbnm123 q1w2e3r4t5y6 1234qwer 12341234 12344321 123qweasd 123qwe123 00000000 gatehouse gatehouse1 gatehouse123 medplum123 hospital
  hospital1 patient1 patient123 practitioner qazwsxedc michelle jonathan ashley123 manchester corvette hellohello abcdefghi 11111111 111111111
  000000000 88888888 99999999 12121212 159753123 nintendo minecraft fortnite password1! medicine doctor123 nurse123 health123 healthcare`.split(
    /\s+/,
  ),
);
