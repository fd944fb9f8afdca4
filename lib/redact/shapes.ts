/** A secret that its surroundings or its form give away. The groups `before` and `after` stay. */
export interface Shape {
  readonly kind: string;
  readonly pattern: RegExp;
}

/**
 * Every pattern is linear: what can be long stands where a failure cannot start it again from a later place. A function, so that a
 * process which redacts nothing builds nothing.
 */
export function listShapes(): readonly Shape[] {
  return [
    // To its end, or, where the end was cut off, as far as what follows looks like base64; line ends may be spelled `\n`.
    shape(
      "private key",
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----)[^])*-----END [A-Z0-9 ]{0,40}KEY(?: BLOCK)?-----|(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{16,})*)/g,
    ),
    shape("private key", /PuTTY-User-Key-File-\d(?:(?!PuTTY-)[^])*?Private-MAC: ?[0-9a-f]*/g),
    shape("JWT", /(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{4,}(?:\.[\w-]*)?/g),
    shape("JWT", /(?<![\w-])ZXlK[\w+/=-]{60,}/g),
    shape("JWT", /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{0,600}\.[\w-]{0,600}\.[\w-]{10,600}\.[\w-]{10,}/g),
    shape(
      "password",
      /(?<before>(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>`]{0,200}:)(?![$<*{[])[^\s@/"'<>`]{3,}(?<after>@)/gi,
    ),
    shape(
      "credentials",
      /(?<before>\b(?:proxy-)?authorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:(?:bearer|basic|token|digest|apikey|negotiate)\s{1,3})?)(?![$<*{[]|redacted|x{4})[^\s"'\\,;<>]{8,}/gi,
    ),
    shape("token", /(?<before>\bbearer\s{1,3})(?=[A-Za-z_.~+/=-]{0,80}\d)[\w.~+/=-]{16,}/gi),
    shape(
      "cookie",
      /(?<before>\b(?:set-)?cookie\\?["']?\s{0,3}:\s{0,3}\\?["']?)[\w.-]{1,80}=[^\s"'\\;]{8,}(?:;\s?[\w.-]{1,80}=[^\s"'\\;]+)*/gi,
    ),
    shape(
      "password",
      /(?<before>\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,64}:)(?![$<*{[])[^\s"']{3,}/g,
    ),
    shape("webhook", /(?<before>\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/+-]{16,}/gi),
    shape("webhook", /(?<before>\bdiscord(?:app)?\.com\/api\/webhooks\/)\d{5,30}\/[\w-]{16,}/gi),
    shape("webhook", /(?<before>\bwebhook\.office\.com\/webhookb2\/)[\w@/-]{20,}/gi),
    shape(
      "signature",
      /(?<before>[?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature)=)[\w%+/=-]{16,}/gi,
    ),
    shape("SendGrid key", /(?<![\w.-])SG\.[\w=-]{16,64}\.[\w=-]{16,}/g),
    shape("Vault token", /(?<![\w.-])s\.(?=[a-z]{0,23}\d)[a-z0-9]{24}(?!\w)/gi),
    shape("MaxMind key", /(?<![\w-])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/g),
    shape("Facebook token", /(?<!\d)\d{15,16}(?:\||%7C)[\w-]{27,40}/gi),
    shape("Telegram token", /(?<!\d)\d{6,16}:A[\w-]{34}/g),
    shape("Discord token", /(?<![\w.-])[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,}/g),
    shape("Terraform token", /(?<![\w.-])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}/g),
    shape("Airtable token", /(?<![\w.-])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/g),
    shape("Mailchimp key", /(?<![\w-])[0-9a-f]{32}-us\d{1,2}\b/g),
    shape("Azure secret", /(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,40}/g),
    shape(
      "1Password key",
      /\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}/g,
    ),
    shape("Notion token", /(?<![\w-])secret_[A-Za-z0-9]{43}/g),
  ];
}

function shape(kind: string, pattern: RegExp): Shape {
  return { kind, pattern };
}
