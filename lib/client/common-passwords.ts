/** The passwords that people pick most, lower case, eight letters or more (shorter ones fall to the length rule). */
export const COMMON_PASSWORDS = new Set(
  `12345678 123456789 1234567890 password password1 password12 password123 passw0rd p@ssword p@ssw0rd qwertyuiop qwerty123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx
  qazwsxedc zaq12wsx asdfghjkl iloveyou princess sunshine football baseball basketball superman batman123 trustno1 welcome1 welcome123 letmein1 letmein123
  admin123 administrator changeme changeme1 whatever starwars computer internet michelle jennifer jonathan charlie1 michael1 ashley123 liverpool chelsea1
  arsenal1 manchester mercedes corvette maverick butterfly chocolate dragon123 monkey123 master123 shadow123 freedom1 hello123 hellohello abcd1234 abc12345
  abcdefgh abcdefghi qwertyui q1w2e3r4 11111111 111111111 00000000 000000000 88888888 99999999 12341234 123123123 11223344 12121212 87654321 987654321
  0987654321 147258369 159753123 asdf1234 qwer1234 zxcvbnm1 zxcvbnm123 google123 facebook linkedin samsung1 pokemon1 nintendo minecraft fortnite
  secret123 test1234 testtest password! password1! qwerty12 summer2024 summer2025 summer2026 winter2024 winter2025 winter2026 spring2026 autumn2026
  hospital hospital1 medicine doctor123 nurse123 patient1 health123 healthcare`.split(/\s+/),
);
