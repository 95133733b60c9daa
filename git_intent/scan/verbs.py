"""The verbs that orders begin with, as one alternative of a pattern."""

VERBS = (
    "add|adhere|allow|apply|ask|avoid|be|break|build|cache|call|catch|change|check|"
    "choose|clean|"
    "close|commit|consider|copy|create|declare|define|delete|describe|disable|"
    "document|do|don't|edit|enable|end|ensure|explain|export|extract|fix|follow|"
    "format|give|group|handle|have|ignore|implement|import|include|inline|install|"
    "introduce|keep|leave|limit|list|log|loop|make|mark|match|merge|mention|minimi[sz]e|"
    "mock|move|name|parse|"
    "never|always|open|pass|pick|place|prefer|prefix|provide|push|put|raise|read|rebase|"
    "refer|release|remove|rename|replace|report|respect|return|reuse|review|rewrite|"
    "run|set|skip|sort|split|squash|start|state|stop|store|submit|suppress|tag|test|"
    "throw|touch|treat|try|update|use|validate|verify|wait|wrap|write"
)
