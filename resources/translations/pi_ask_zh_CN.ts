<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>pi_ask</name>
    <message>
      <source>Type your own</source>
      <translation>自行填写</translation>
    </message>
    <message>
      <source>Review</source>
      <translation>检查</translation>
    </message>
    <message>
      <source>recommended</source>
      <translation>推荐</translation>
    </message>
    <message>
      <source>no answer</source>
      <translation>未回答</translation>
    </message>
    <message>
      <source>answered</source>
      <translation>已回答</translation>
    </message>
    <message>
      <source>not answered</source>
      <translation>未回答</translation>
    </message>
    <message>
      <source>Submit</source>
      <translation>提交</translation>
    </message>
    <message>
      <source>Elaborate…</source>
      <translation>先说明…</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>上一步</translation>
    </message>
    <message>
      <source>Next</source>
      <translation>下一步</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Wrap lines</source>
      <translation>自动换行</translation>
    </message>
    <message>
      <source>Search the preview. Enter finds the next, Esc closes.</source>
      <translation>搜索预览。按 Enter 查找下一处，按 Esc 关闭。</translation>
    </message>
    <message>
      <source>not found</source>
      <translation>未找到</translation>
    </message>
    <message>
      <source>Filter the options</source>
      <translation>筛选选项</translation>
    </message>
    <message>
      <source>Your own words. Enter takes them, Shift+Enter starts a new line.</source>
      <translation>您自己的话。按 Enter 采用，按 Shift+Enter 换行。</translation>
    </message>
    <message>
      <source>A note about this question. Enter keeps it.</source>
      <translation>对此问题的备注。按 Enter 保存。</translation>
    </message>
    <message>
      <source>A note about this option. Enter keeps it.</source>
      <translation>对此选项的备注。按 Enter 保存。</translation>
    </message>
    <message>
      <source>Cut here. Enter or a click shows all of it.</source>
      <translation>此处已截断。按 Enter 或单击可显示全部。</translation>
    </message>
    <message>
      <source>Enter or a click cuts it again.</source>
      <translation>按 Enter 或单击可再次截断。</translation>
    </message>
    <message>
      <source>Remove this picture</source>
      <translation>移除此图片</translation>
    </message>
    <message>
      <source>Add a note to this question</source>
      <translation>为此问题添加备注</translation>
    </message>
    <message>
      <source>There is no preview of your own words.</source>
      <translation>自行填写的内容没有预览。</translation>
    </message>
    <message>
      <source>Leaving now discards what you chose or wrote. Do the same again to leave.</source>
      <translation>现在离开会丢弃您的选择和文字。再次执行同一操作即可离开。</translation>
    </message>
    <message>
      <source>Changing the type gives up your choices. Do the same again to change it.</source>
      <translation>更改题型会放弃您的选择。再次执行同一操作即可更改。</translation>
    </message>
    <message>
      <source>Press 1 again to submit.</source>
      <translation>再按一次 1 提交。</translation>
    </message>
    <message>
      <source>Press 2 again to ask for an explanation first.</source>
      <translation>再按一次 2，先请求说明。</translation>
    </message>
    <message>
      <source>Press 3 again to cancel without an answer.</source>
      <translation>再按一次 3，不作回答并取消。</translation>
    </message>
    <message>
      <source>Question waiting</source>
      <translation>有问题等待回答</translation>
    </message>
    <message>
      <source>A question for you</source>
      <translation>有问题需要您回答</translation>
    </message>
    <message>
      <source>asked just now</source>
      <translation>刚刚提出</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <source>Colours</source>
      <translation>颜色</translation>
    </message>
    <message>
      <source>Keys and everything else are in this file:</source>
      <translation>按键和其他设置都在此文件中：</translation>
    </message>
    <message>
      <source>Reset everything</source>
      <translation>全部重置</translation>
    </message>
    <message>
      <source>Reset everything: press again</source>
      <translation>全部重置：请再按一次</translation>
    </message>
    <message>
      <source>All settings and keys go back to their defaults. Press again to do it.</source>
      <translation>所有设置和按键将恢复默认值。再按一次即可执行。</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Cancel: press again</source>
      <translation>取消：再按一次</translation>
    </message>
    <message>
      <source>Do not disturb</source>
      <translation>请勿打扰</translation>
    </message>
    <message>
      <source>Nothing is waiting.</source>
      <translation>没有等待的表单。</translation>
    </message>
    <message>
      <source>This desktop has no tray; this window stands in for it.</source>
      <translation>此桌面没有托盘，由此窗口代替。</translation>
    </message>
    <message>
      <source>Show what is waiting</source>
      <translation>显示等待的表单</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>退出</translation>
    </message>
    <message>
      <source>Quit anyway</source>
      <translation>仍要退出</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <source>Forms are waiting; they would end as failed. Quit again to do it.</source>
      <translation>有表单正在等待，退出会使其失败。再次退出即可执行。</translation>
    </message>
    <message>
      <source>choose</source>
      <translation>选择</translation>
    </message>
    <message>
      <source>toggle</source>
      <translation>切换</translation>
    </message>
    <message>
      <source>next</source>
      <translation>下一步</translation>
    </message>
    <message>
      <source>choose, next</source>
      <translation>选择并继续</translation>
    </message>
    <message>
      <source>submit</source>
      <translation>提交</translation>
    </message>
    <message>
      <source>choose, submit</source>
      <translation>选择并提交</translation>
    </message>
    <message>
      <source>note</source>
      <translation>备注</translation>
    </message>
    <message>
      <source>question note</source>
      <translation>问题备注</translation>
    </message>
    <message>
      <source>one answer</source>
      <translation>单选</translation>
    </message>
    <message>
      <source>several answers</source>
      <translation>多选</translation>
    </message>
    <message>
      <source>search</source>
      <translation>搜索</translation>
    </message>
    <message>
      <source>filter</source>
      <translation>筛选</translation>
    </message>
    <message>
      <source>settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <source>cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>elaborate</source>
      <translation>先说明</translation>
    </message>
    <message>
      <source>cancel, pressed twice</source>
      <translation>取消，各按两次</translation>
    </message>
    <message>
      <source>back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>take it</source>
      <translation>采用</translation>
    </message>
    <message>
      <source>keep the note</source>
      <translation>保存备注</translation>
    </message>
    <message>
      <source>new line</source>
      <translation>换行</translation>
    </message>
    <message>
      <source>close, keep it</source>
      <translation>关闭并保留</translation>
    </message>
    <message>
      <source>Submit by itself when everything is answered, without notes</source>
      <translation>全部回答且没有备注时自动提交</translation>
    </message>
    <message>
      <source>Ask before leaving discards something</source>
      <translation>离开会丢失内容时先询问</translation>
    </message>
    <message>
      <source>On Review, 1, 2 and 3 are pressed twice</source>
      <translation>在检查页，1、2、3 需按两次</translation>
    </message>
    <message>
      <source>Let single questions take several answers (from the next form on)</source>
      <translation>允许单选题选择多项（从下一份表单起）</translation>
    </message>
    <message>
      <source>Show the keys at the foot of the window</source>
      <translation>在窗口底部显示按键</translation>
    </message>
    <message>
      <source>Tell me about forms that wait</source>
      <translation>有表单等待时通知我</translation>
    </message>
    <message>
      <source>Say in notifications what is asked, not only by whom</source>
      <translation>在通知中显示问题内容，而不只是提问者</translation>
    </message>
    <message>
      <source>Keep windows above all others</source>
      <translation>窗口始终置顶</translation>
    </message>
    <message>
      <source>as the desktop</source>
      <translation>跟随桌面</translation>
    </message>
    <message>
      <source>light</source>
      <translation>浅色</translation>
    </message>
    <message>
      <source>dark</source>
      <translation>深色</translation>
    </message>
    <message>
      <source>asked {time} ago</source>
      <translation>{time}前提出</translation>
    </message>
    <message>
      <source>{name} asks</source>
      <translation>{name} 提问</translation>
    </message>
    <message>
      <source>{who}: {what}</source>
      <translation>{who}：{what}</translation>
    </message>
    <message>
      <source>{number} of {count}</source>
      <translation>第 {number} 项，共 {count} 项</translation>
    </message>
    <message>
      <source>“{text}”</source>
      <translation>“{text}”</translation>
    </message>
    <message>
      <source>{label}: {note}</source>
      <translation>{label}：{note}</translation>
    </message>
    <message>
      <source>“{title}” was answered elsewhere.</source>
      <translation>“{title}”已在别处得到回答。</translation>
    </message>
    <message>
      <source>“{title}” has ended elsewhere.</source>
      <translation>“{title}”已在别处结束。</translation>
    </message>
    <message numerus="yes">
      <source>%n more waiting</source>
      <translation>
        <numerusform>还有 %n 份在等待</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n question(s) need an answer: {labels}. Submit again to send the form without.</source>
      <translation>
        <numerusform>有 %n 个问题需要回答：{labels}。再次提交将不含这些回答。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n question(s) have no answer: {labels}. Submit sends the others as they are.</source>
      <translation>
        <numerusform>有 %n 个问题未回答：{labels}。提交将按现状发送其余回答。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{notice} And %n more: pi-ask config check</source>
      <translation>
        <numerusform>{notice} 还有 %n 条：pi-ask config check</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n waiting</source>
      <translation>
        <numerusform>%n 份在等待</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n s</source>
      <translation>
        <numerusform>%n 秒</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n min</source>
      <translation>
        <numerusform>%n 分钟</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n h</source>
      <translation>
        <numerusform>%n 小时</numerusform>
      </translation>
    </message>
  </context>
</TS>
