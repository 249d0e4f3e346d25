/** A name of DNS with at least one dot, in small letters (RFC 1035 §2.3.1). */
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/** Whether addresses can have this after their @. */
export function isDomainName(text: string): boolean {
  return DOMAIN.test(text);
}

/** What stands after the last @, in small letters. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** Mailboxes there belong to anybody: no project speaks for them. */
const PUBLIC = new Set(
  `aol.com fastmail.com free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.co.uk hotmail.com
  hotmail.de hotmail.fr hotmail.it icloud.com inbox.ru laposte.net libero.it live.co.uk live.com live.de live.fr mac.com mail.com mail.de
  mail.ru mailbox.org me.com msn.com naver.com orange.fr outlook.com outlook.de outlook.fr pm.me posteo.de posteo.net proton.me
  protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com seznam.cz sfr.fr t-online.de tuta.io tutanota.com
  wanadoo.fr web.de wp.pl yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it yandex.com
  yandex.ru ymail.com zoho.com zohomail.com 126.com 163.com 189.cn bluewin.ch btinternet.com comcast.net att.net verizon.net`.split(
    /\s+/,
  ),
);

/** A provider where everybody may have a mailbox. */
export function isPublicMail(domain: string): boolean {
  return PUBLIC.has(domain);
}
